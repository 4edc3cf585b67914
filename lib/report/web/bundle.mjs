// SPDX-License-Identifier: MIT
//
// bundle.mjs SOURCE MODULES OUTPUT: the pictures and what they use of Apache ECharts as one script,
// OUTPUT.js; and packed by gzip, as base64, OUTPUT.txt. Both begin with the licences of what is in
// them, for esbuild leaves those out.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [source, modules, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, "x.js"))("esbuild");

const licences = ["echarts/NOTICE", "echarts/LICENSE", "echarts/licenses/LICENSE-d3",
	"zrender/LICENSE", "tslib/LICENSE.txt"];

function readLicences() {
	const texts = licences.map((file) =>
		`${file}\n\n${readFileSync(join(modules, file), "utf8").trim()}`);

	return `/*!\n${texts.join("\n\n\n").replaceAll("*/", "* /")}\n*/`;
}

const { outputFiles } = await esbuild.build({
	entryPoints: [join(source, "charts", "index.js")],
	nodePaths: [modules],
	bundle: true,
	minify: true,
	format: "iife",
	target: "es2022",
	legalComments: "none",
	banner: { js: readLicences() },
	write: false,
});
const code = Buffer.from(outputFiles[0].contents);
const packed = gzipSync(code, { level: 9 }).toString("base64");

writeFileSync(`${output}.js`, code);
writeFileSync(`${output}.txt`, packed.replaceAll(/.{100}/g, "$&\n"));
