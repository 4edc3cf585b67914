// SPDX-License-Identifier: MIT
"use strict";

// Values as the text report writes them: lib/report/report_value.c.

// As toFixed(), but of two numbers that are as near the even one, as C has it.
function toDecimals(value, decimals) {
	const text = value.toFixed(decimals);

	if (Math.abs(value * 10 ** decimals % 1) !== 0.5)
		return text;
	const [whole, part] = value.toFixed(60).split(".");
	const isTie = /^50*$/.test(part.slice(decimals));
	const down = decimals > 0 ? `${whole}.${part.slice(0, decimals)}` : whole;

	return isTie && /[02468]$/.test(down) ? down : text;
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

function formatBytes(value) {
	let unit = 0;

	while (Math.abs(value) >= (unit > 0 ? 1023.95 : 1024) && unit < 6) {
		value /= 1024;
		unit++;
	}
	return `${toDecimals(value, unit > 0 ? 1 : 0)} ${byteUnits[unit]}`;
}

function formatNumber(value, unit) {
	const size = Math.abs(value);

	switch (unit) {
	case "bytes":
		return formatBytes(value);
	case "percent":
		return `${toDecimals(value, size >= 9.995 ? 1 : 2)} %`;
	case "share":
		return toDecimals(value, 5);
	case "factor":
		return `${toDecimals(value, 2)}×`;
	default:
		return toDecimals(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
	}
}

// A cell of a table; column as in the page's data.
function formatCell(value, column) {
	if (value === null)
		return column.unit === "device" ? "NONE" : "-";
	switch (column.kind) {
	case "integer":
		return column.unit === "bytes" ? formatBytes(value) : String(value);
	case "real":
		return formatNumber(value, column.unit);
	case "set":
		return value.map((device) => device ?? "NONE").join(" ");
	default:
		return value.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
	}
}
