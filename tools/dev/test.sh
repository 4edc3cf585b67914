#!/bin/sh
# SPDX-License-Identifier: MIT
# Sets up, builds and runs all tests. Arguments go to ctest: test.sh -R unit
set -eu
cd "$(dirname "$0")/../.."

sh tools/dev/setup.sh
sh tools/dev/build.sh release
exec ctest --preset release -j "$(nproc)" "$@"
