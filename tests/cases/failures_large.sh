#!/bin/sh
# SPDX-License-Identifier: MIT
# failures_large.sh MAPTOOL: 10,000 devices and 65,536 PGs. Each shard is lost with one host, one
# rack and one device, and all of it fits into 1 GB.
set -u
maptool=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

awk 'BEGIN {
	printf "{\"format\":\"strew-map/1\",\"types\":[\"device\",\"host\",\"rack\",\"root\"],"
	printf "\"tree\":[{\"type\":\"root\",\"name\":\"default\",\"children\":["
	for (rack = 0; rack < 25; rack++) {
		printf "%s{\"type\":\"rack\",\"name\":\"r%d\",\"children\":[", rack ? "," : "", rack
		for (host = 0; host < 20; host++) {
			first = (rack * 20 + host) * 20
			printf "%s{\"type\":\"host\",\"name\":\"r%dh%d\",\"children\":[", \
				host ? "," : "", rack, host
			printf "{\"devices\":\"%d-%d\",\"weight\":%d,\"size\":\"%dTB\"}]}", \
				first, first + 19, 4 + host % 3, 4 + host % 3
		}
		printf "]}"
	}
	printf "]}],\"rules\":[{\"name\":\"hosts\",\"type\":\"replicated\",\"steps\":"
	printf "[\"take default\",\"chooseleaf firstn 0 type host\",\"emit\"]}],"
	printf "\"pools\":[{\"name\":\"rbd\",\"id\":1,\"type\":\"replicated\",\"size\":3,"
	print "\"pg_num\":65536,\"rule\":\"hosts\",\"bytes\":\"9000TB\"}]}"
}' >"$work/map.json"

# Address space, as near as a shell comes to memory; sanitizers need all there is of it.
# shellcheck disable=SC3045
(ulimit -v 1000000 && "$maptool" version) >/dev/null 2>&1 && ulimit -v 1000000

for type in host rack device; do
	"$maptool" fail "$work/map.json" --each $type --threads 2 --report csv \
		>"$work/$type" || exit 1
	awk -F, -v type=$type '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 {
			lost += $at["shards_lost"]
			healed += $at["moved_shards"] >= $at["shards_lost"]
		}
		END { print type, NR - 1, lost, type == "rack" || healed == NR - 1 }' "$work/$type"
done >"$work/got"

printf '%s\n' "host 500 196608 1" "rack 25 196608 1" "device 10000 196608 1" >"$work/wanted"
diff "$work/wanted" "$work/got"
