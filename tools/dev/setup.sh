#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what building and testing need, on Debian and its kin. Does nothing when all is there.
set -eu

packages="gcc libc6-dev make cmake pkg-config libjansson-dev libmd-dev check gperf"

if ! command -v dpkg-query >/dev/null; then
	echo "Not a Debian system: these are needed, by whatever name: $packages" >&2
	exit 0
fi

missing=
for package in $packages; do
	case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || :) in
	ii*) ;;
	*) missing="$missing $package" ;;
	esac
done
[ -n "$missing" ] || exit 0

# Ask for a password only where somebody can type it.
as_root=
if [ "$(id -u)" -ne 0 ]; then
	as_root=$(command -v sudo) || { echo "As root: apt-get install$missing" >&2; exit 1; }
	[ -t 0 ] || as_root="$as_root -n"
fi

echo "Installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -qq update
$as_root apt-get -qq -y --no-install-recommends install $missing >/dev/null </dev/null
