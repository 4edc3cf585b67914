// SPDX-License-Identifier: MIT
//
// report.mjs MAPTOOL MAPS CHROMIUM: HTML reports in a browser. Pictures are looked at if this build
// has charts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Chromium } from "./chromium.mjs";
import { hostileNames, writeHostileMap, writeLargeMap } from "./maps.mjs";

const [maptool, maps, program] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "strew-report-"));
const browser = new Chromium(program);
const page = join(work, "page.html");

// Findings make check exit with 1.
function run(args) {
	try {
		return execFileSync(maptool, args, { encoding: "utf8", maxBuffer: 1 << 28 });
	} catch (error) {
		if (error.status !== 1)
			throw error;
		return error.stdout;
	}
}

const isReady = 'document.documentElement.dataset.ready === "yes"';

// Makes the page of a command, and opens it.
async function open(args) {
	run([...args, "--report", "html", "-o", page]);
	await browser.open(page);
	for (let i = 0; i < 600 && !await browser.ask(isReady); i++)
		await new Promise((done) => setTimeout(done, 50));
	assert(await browser.ask(isReady), "the page's script did not come to its end");
}

function expectPeace() {
	assert.deepEqual(browser.complaints, []);
}

// Each table of the JSON report is in the page, with the same figures.
async function expectSameFigures(args) {
	const json = JSON.parse(run([...args, "--report", "json"]));
	const tables = await browser.ask(
		"JSON.parse(document.getElementById('result').textContent).tables");
	let compared = 0;

	for (const [name, expected] of Object.entries(json)) {
		if (["schema", "command", "notes"].includes(name))
			continue;
		const { columns, rows } = tables.find((table) => table.name === name);
		const found = rows.map((row) => Object.fromEntries(
			row.map((value, i) => [columns[i].name, value])));

		assert.deepEqual(found, Array.isArray(expected) ? expected : [expected], name);
		compared++;
	}
	assert(compared > 0);
}

// The rows that are there without scripts read as those that the script makes.
async function expectSameTexts() {
	const texts = `(page) => [...page.querySelectorAll("table[data-table] tbody")].map((body) =>
		[...body.rows].slice(0, 15).map((row) => [...row.cells].map((cell) =>
			cell.className + cell.textContent)))`;
	const source = JSON.stringify(readFileSync(page, "utf8").split("<script")[0]);
	const [before, after] = await browser.ask(`[(${texts})(new DOMParser()
		.parseFromString(${source}, "text/html")), (${texts})(document)]`);

	assert.deepEqual(after, before);
}

// Each picture that a table asks for is there, and is not of one colour.
async function expectPictures(count) {
	const colors = await browser.ask(`[...document.querySelectorAll("figure")].map((figure) => {
		const canvas = figure.querySelector("canvas");

		if (!canvas)
			return figure.querySelectorAll(".descent .candidate").length;
		const { data } = canvas.getContext("2d")
			.getImageData(0, 0, canvas.width, canvas.height);

		return figure.hidden || !figure.querySelector("[role=img]").ariaLabel
			? 0 : new Set(new Uint32Array(data.buffer)).size;
	})`);

	assert.equal(colors.length, hasCharts ? count : 0);
	assert(colors.every((number) => number > 3), `colours of pictures: ${colors}`);
}

async function expectControls() {
	const rows = "document.querySelector('table[data-table] tbody').rows";
	const press = (selector) => browser.ask(`document.querySelector(${JSON.stringify(selector)})
		.click()`);
	const cell = () => browser.ask(`${rows}[0].cells[0].textContent`);
	const theme = () => browser.ask("getComputedStyle(document.body).backgroundColor");
	const total = await browser.ask("result.tables[0].rows.length");

	assert.equal(await browser.ask(`${rows}.length`), 15);
	await press(".more button:last-of-type");
	assert.equal(await browser.ask(`${rows}.length`), total);
	const first = await cell();
	await press("th button");
	assert.notEqual(await cell(), first);
	assert.equal(await browser.ask("document.querySelector('th').ariaSort"), "descending");
	await press("th button");
	assert.equal(await cell(), first);
	await browser.ask(`{
		const filter = document.querySelector("input[type=search]");

		filter.value = "osd.${total - 1}";
		filter.dispatchEvent(new Event("input"));
	}`);
	assert.equal(await browser.ask(`${rows}.length`), 1);
	const light = await theme();
	await press("#theme");
	assert.notEqual(await theme(), light);
	await press("#theme");
	assert.equal(await theme(), light);
}

// A look at each picture with the mouse brings up a tip; names in it are text.
async function lookAtPictures() {
	const spots = await browser.ask(`[...document.querySelectorAll(".canvas")].map((canvas) => {
		const box = canvas.getBoundingClientRect();

		return [box.left, box.top, box.width, box.height];
	})`);

	for (const [left, top, width, height] of spots) {
		await browser.ask(`scrollTo(0, ${top})`);
		const y = top - await browser.ask("scrollY");

		for (const part of [0.3, 0.4, 0.6]) {
			const spot = { x: left + width * part, y: y + height * part };

			await browser.call("Input.dispatchMouseEvent",
				{ type: "mouseMoved", ...spot });
		}
	}
}

async function testCommand(args, pictures) {
	await open(args);
	await expectSameFigures(args);
	await expectSameTexts();
	await expectPictures(pictures);
	expectPeace();
}

async function testHostileNames() {
	const map = join(work, "hostile.json");

	writeHostileMap(map);
	await open(["spread", map]);
	await lookAtPictures();
	expectPeace();
	assert.equal(await browser.ask("typeof hacked"), "undefined");
	assert.equal(await browser.ask("document.querySelectorAll('img, svg, body script').length"),
		hasCharts ? 4 : 2);
	const name = await browser.ask(
		"document.querySelector('tbody').rows[1].cells[1].textContent");
	assert.equal(name, `${hostileNames[1]}1`);
	if (!hasCharts)
		return;
	const tips = await browser.ask(
		"[...document.querySelectorAll('.tip')].map((tip) => tip.textContent)");

	assert(tips.some((tip) => tip.includes("hacked=1")), tips.join("\n"));
}

async function testManyDevices() {
	const map = join(work, "large.json");

	writeLargeMap(map);
	await testCommand(["spread", map], 4);
	await expectControls();
	const { data } = await browser.call("Page.printToPDF", { printBackground: true });
	assert.equal(Buffer.from(data, "base64").subarray(0, 5).toString(), "%PDF-");
	expectPeace();
}

async function test(what, run) {
	try {
		await run();
		console.log(`${what}: as it should be`);
	} catch (error) {
		process.exitCode = 1;
		console.log(`FAILED: ${what}: ${error.message}`);
	}
}

const map = (name) => join(maps, name);
const hasCharts = !run(["spread", map("flat.json"), "--report", "html"])
	.includes("built without charts");

if (!hasCharts)
	console.log("this build has no charts: pictures are left out");
await browser.start();
await test("spread", () => testCommand(["spread", map("three-dc.json")], 4));
await test("diff", () => testCommand(["diff", map("three-dc.json"), map("three-dc+rack.json")], 4));
await test("fail", () => testCommand(["fail", map("three-dc.json"), "--each", "rack"], 2));
await test("trace", () => testCommand(["trace", map("three-dc.json"), "--pg", "1.e8e"], 1));
await test("check", () => testCommand(["check", map("three-dc.json")], 0));
await test("show", () => testCommand(["show", map("mixed.json")], 0));
await test("place", () => testCommand(["place", map("three-hosts.json"), "--stages"], 0));
await test("where", () => testCommand(["where", map("three-dc.json"), "--item", "r1"], 0));
await test("hostile names", testHostileNames);
await test("10,000 devices", testManyDevices);
await browser.end();
rmSync(work, { recursive: true });
