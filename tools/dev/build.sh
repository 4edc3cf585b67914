#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET [TARGET...]: configures and builds with all cores, and is silent unless it fails.
set -eu
cd "$(dirname "$0")/../.."

preset=$1
shift
log=build/$preset.log
mkdir -p build
echo "Building the $preset preset in build/$preset"
{
	cmake --preset "$preset" &&
		cmake --build --preset "$preset" -j "$(nproc)" ${1:+--target} "$@"
} >"$log" 2>&1 || {
	cat "$log" >&2
	exit 1
}
grep -A 4 "warning:" "$log" >&2 || :
# What is left out for want of something that is not needed.
sed -n 's/^-- \(HTML reports: \)/\1/p; /^HTML reports: /p' "$log"
