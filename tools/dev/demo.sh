#!/bin/sh
# SPDX-License-Identifier: MIT
# Sets up, builds, and shows the main job: what moves when a rack is added to a cluster?
set -eu
cd "$(dirname "$0")/../.."

sh tools/dev/setup.sh
sh tools/dev/build.sh release maptool
echo
echo '$ maptool diff maps/three-dc.json maps/three-dc+rack.json'
exec build/release/tools/maptool/maptool diff maps/three-dc.json maps/three-dc+rack.json
