// SPDX-License-Identifier: MIT

// Maps that are made for the tests: many devices, and names that would be markup.

import { writeFileSync } from "node:fs";

function writeMap(file, tree, types, pool) {
	const map = {
		format: "strew-map/1", name: "made", types, tree,
		rules: [{ name: "racks", id: 0, type: "replicated",
			steps: [`take ${JSON.stringify(tree[0].name).slice(1, -1)}`,
				"chooseleaf firstn 0 type rack", "emit"] }],
		pools: [{ name: "data", id: 1, type: "replicated", size: 3, min_size: 2,
			rule: "racks", ...pool }],
	};

	writeFileSync(file, JSON.stringify(map));
}

// 25 racks of 20 hosts of 20 devices.
export function writeLargeMap(file) {
	const numbers = (count) => [...Array(count).keys()];
	const host = (rack, at) => ({ type: "host", name: `h${rack}-${at}`,
		children: [{ devices: `${400 * rack + 20 * at}-${400 * rack + 20 * at + 19}`,
			weight: 6, size: "7TB" }] });
	const racks = numbers(25).map((rack) => ({ type: "rack", name: `r${rack}`,
		children: numbers(20).map((at) => host(rack, at)) }));

	writeMap(file, [{ type: "root", name: "default", children: racks }],
		["device", "host", "rack", "root"], { pg_num: 32768, bytes: "14PiB" });
}

export const hostileNames = ["</script><script>hacked=1</script>", "<img src=x onerror=hacked=1>",
	"\"'><svg onload=hacked=1>", "<!--<script>hacked=1//"];

export function writeHostileMap(file) {
	const racks = hostileNames.map((name, i) => ({ type: "rack", name,
		children: [{ device: i, name: `${name}${i}`, weight: 1, size: "1TB" }] }));

	writeMap(file, [{ type: "root", name: "default", children: racks }],
		["device", "rack", "root"], { name: hostileNames[1], pg_num: 64, bytes: "1TiB" });
}
