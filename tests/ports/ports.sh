#!/bin/sh
# SPDX-License-Identifier: MIT
# ports.sh PORT...: the unit tests, the readers' tests and the golden placements, built for other
# machines and in other ways:
#
#     gcc-O0 gcc-O3 clang-O0 clang-O3     this machine, by compiler and optimisation
#     i386                                32 bits
#     s390x                               big-endian, under qemu
#     aarch64                             64-bit Arm, under qemu
#
# Run as root, it installs the compilers that are missing; without them a port is left out, and says
# so. Builds are in $STREW_PORTS, or build/ports. The packages of another machine are unpacked
# there, and dpkg never hears of them. gcc-12-multilib is used for 32 bits, because gcc-multilib
# can't be installed beside a compiler for another machine.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
builds=${STREW_PORTS:-$source/build/ports}
export DEBIAN_FRONTEND=noninteractive

# need PACKAGE...: installs what is missing.
need()
{
	dpkg-query -W -f '${db:Status-Abbrev}\n' "$@" 2>/dev/null | grep -c '^ii' |
		grep -q -x $# || apt-get -qq -y --no-install-recommends install "$@"
}

# unpack ARCHITECTURE ROOT: jansson, libmd and Check for another machine.
unpack()
{
	[ ! -f "$2/done" ] || return 0
	lists=$2/lists
	rm -rf "$2"
	mkdir -p "$lists/partial" "$2/debs"
	set -- "$1" "$2" -qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" \
		-o "Dir::State::Lists=$lists"
	cd "$2/debs"
	root=$2
	shift 2
	# One list that can't be had is no reason to give up: the packages may be in the others.
	apt-get "$@" update || :
	apt-get "$@" download libjansson4 libjansson-dev libmd0 libmd-dev check \
		libsubunit0 libsubunit-dev ||
		return 1
	for package in *.deb; do
		dpkg -x "$package" "$root" || return 1
	done
	cd "$source"
	rm -rf "$lists" "$root/debs"
	touch "$root/done"
}

# cross PORT ARCHITECTURE PACKAGE...: gets ready for another machine; leaves the options of cmake.
cross()
{
	port=$1
	export STREW_PORT_ROOT="$builds/$port/root"
	options=--toolchain="$source/tools/cmake/toolchains/$port.cmake"
	architecture=$2
	shift 2
	need "$@" && unpack "$architecture" "$STREW_PORT_ROOT"
}

# native COMPILER LEVEL: the same for this machine.
native()
{
	options="-DCMAKE_C_COMPILER=$1 -DCMAKE_C_FLAGS_RELEASE=-O$2"
	need "$1"
}

prepare()
{
	case $1 in
	gcc-O[03] | clang-O[03]) native "${1%-*}" "${1#*-O}" ;;
	i386) cross i386 i386 gcc-12-multilib ;;
	s390x) cross s390x s390x gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user ;;
	aarch64) cross aarch64 arm64 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user ;;
	*) echo "ports.sh: no port '$1'" >&2; exit 2 ;;
	esac
}

# What can't run under an emulator as it is, is left out: scripts that call programs, and the
# comparison with a library of this machine. Emulated threads may hang after a fork. And where bytes
# have the other order, a lock that inherits priority can't be waited for: this machine's kernel
# writes its owner into it.
run_port()
{
	build=$builds/$1/build
	[ "$1" != s390x ] || export CK_EXCLUDE_TAGS=contention
	case $1 in
	s390x | aarch64) export CK_FORK=no ;;
	esac
	cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DSTREW_WERROR=ON \
		-DSTREW_CHARTS=OFF $options &&
		cmake --build "$build" -j "$(nproc)" &&
		cd "$build" &&
		ctest -V -R '^(unit|golden|formats)' \
			-E 'straw2_log|schema' -j "$(nproc)"
}

failed=0
for port; do
	mkdir -p "$builds/$port"
	log=$builds/$port/log
	if ! (prepare "$port") >"$log" 2>&1; then
		tail -n 3 "$log"
		echo "$port: left out: what it needs can't be had"
		continue
	fi
	if (prepare "$port" && run_port "$port") >>"$log" 2>&1; then
		awk -v port="$port" '/answers equal$/ { equal += $2 }
			/tests passed/ { passed = $0 }
			END { print port ": " equal " answers equal; " passed }' "$log"
	else
		grep -E 'error:|warning:|Error|differ$|\(Failed\)|Timeout|[0-9]:[EF]:' "$log" ||
			tail "$log"
		echo "$port: FAILED; all of it is in $log"
		failed=1
	fi
done
exit $failed
