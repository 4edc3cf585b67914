// SPDX-License-Identifier: MIT

// Steps of bytes that are whole in their unit; the others are the library's to choose.
function stepOf(picture, column, max) {
	const { unit } = picture.columns[column];

	if (unit !== "bytes" || max <= 0)
		return {};
	const scale = 1024 ** Math.floor(Math.log2(max) / 10);
	const rough = max / scale / 5;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].find((digit) => digit * power >= rough) * power * scale;

	return { interval: step, max: step * Math.ceil(max / step) };
}

// From 0: an axis that starts elsewhere overstates.
export function valueAxis(picture, column, { min, max }, theme) {
	const marked = Math.max(max, ...picture.marks.map(({ value }) => value));
	const isPart = picture.columns[column].unit === "percent" && marked <= 100 &&
		picture.marks.length > 0;

	return {
		type: "value", ...(min < 0 ? {} : { min: 0 }),
		...(isPart ? { max: 100 } : stepOf(picture, column, marked)),
		axisLabel: {
			color: theme.faint,
			formatter: (value) => picture.round(value, column),
		},
		axisLine: { show: false },
		splitLine: { lineStyle: { color: theme.line } },
	};
}

// Names that would stand on each other.
function isNear(marks, i, reach) {
	return i > 0 && marks[i].value - marks[i - 1].value <= reach;
}

// Along the top the first name goes to the left of its line, and those that stand too near to the
// one before go up a row.
function labelAbove(marks, i, reach) {
	const row = i > 1 && isNear(marks, i, reach) ? 1 : 0;

	return { align: i === 0 ? "right" : "left", offset: [0, -markRow * row] };
}

export const markRow = 13;

export function markLine(picture, axis, { min, max }, theme) {
	const key = axis === "x" ? "xAxis" : "yAxis";
	const { marks } = picture;
	const reach = Math.max(max, marks.at(-1)?.value ?? 0) - Math.min(min, 0);

	return {
		silent: true, symbol: "none", animation: false,
		data: marks.map(({ name, value }, i) => ({ [key]: value, name,
			label: axis === "x"
				? labelAbove(marks, i, reach / 12)
				: { show: !isNear(marks, i, reach / 25) } })),
		lineStyle: { color: theme.faint, type: "dashed" },
		label: { color: theme.faint, formatter: ({ name }) => name, fontSize: 11,
			position: axis === "x" ? "start" : "end" },
	};
}
