// SPDX-License-Identifier: MIT

// Brings the page to life: its colours, its tables, and, where the build has them, the pictures.

const result = JSON.parse(document.getElementById("result").textContent);
const preferred = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = null;

function theme() {
	return chosenTheme ?? (preferred.matches ? "dark" : "light");
}

function startTheme(redraw) {
	const button = document.getElementById("theme");
	const apply = () => {
		document.documentElement.dataset.theme = theme();
		button.textContent = theme() === "dark" ? "Light colours" : "Dark colours";
		redraw();
	};

	button.hidden = false;
	button.addEventListener("click", () => {
		chosenTheme = theme() === "dark" ? "light" : "dark";
		apply();
	});
	preferred.addEventListener("change", apply);
	apply();
}

// Pictures are canvases, which no style sheet reaches: on paper they are light, too.
function startPrinting(redraw) {
	let before = null;

	addEventListener("beforeprint", () => {
		before = chosenTheme;
		chosenTheme = "light";
		document.documentElement.dataset.theme = "light";
		redraw();
	});
	addEventListener("afterprint", () => {
		chosenTheme = before;
		document.documentElement.dataset.theme = theme();
		redraw();
	});
}

function startTables() {
	for (const element of document.querySelectorAll("table[data-table]"))
		new TableView(element, result.tables[element.dataset.table]);
}

// The chart library is packed to a third of its size. Only text that the page's policy names by
// its hash is run.
async function unpackCharts() {
	const packed = document.getElementById("charts")?.textContent.trim();

	if (!packed || typeof DecompressionStream === "undefined")
		return null;
	const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	const code = await new Response(stream).text();

	document.body.append(makeElement("script", { textContent: code }));
	return globalThis.strewCharts;
}

async function start() {
	let charts = null;
	const redraw = () => charts?.redraw();

	startTheme(redraw);
	startPrinting(redraw);
	startTables();
	charts = await unpackCharts();
	charts?.start(result, { formatCell, formatNumber, formatBytes, makeElement });
	document.documentElement.dataset.ready = "yes";
}

start();
