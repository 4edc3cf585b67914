// SPDX-License-Identifier: MIT
"use strict";

// Values as the text report writes them: lib/report/report_value.c.

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

function formatBytes(value) {
	let unit = 0;

	while (Math.abs(value) >= (unit > 0 ? 1023.95 : 1024) && unit < 6) {
		value /= 1024;
		unit++;
	}
	return `${value.toFixed(unit > 0 ? 1 : 0)} ${byteUnits[unit]}`;
}

function formatNumber(value, unit) {
	const size = Math.abs(value);

	switch (unit) {
	case "bytes":
		return formatBytes(value);
	case "percent":
		return `${value.toFixed(size >= 9.995 ? 1 : 2)} %`;
	case "share":
		return value.toFixed(5);
	case "factor":
		return `${value.toFixed(2)}×`;
	default:
		return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
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
