#!/bin/sh
# SPDX-License-Identifier: MIT
# browser.sh MAPTOOL MAPS: HTML reports in a headless Chromium, where it and node are there.
here=$(dirname "$0")

skip()
{
	echo "skipped: $1"
	exit 77
}

node=$(command -v node) || skip "there is no node"
chromium=$(command -v chromium) || skip "there is no chromium"
exec "$node" "$here/report.mjs" "$1" "$2" "$chromium"
