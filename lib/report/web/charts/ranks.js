// SPDX-License-Identifier: MIT

import { palette } from "./colors.js";
import { markLine, valueAxis } from "./axes.js";

// The values of each column by size, the largest first: how even they are, and how far from each
// other before and after lie, without a look at who they are.
export class Ranks {
	constructor(picture) {
		this.picture = picture;
		this.named = picture.table.columns.findIndex(({ name }) => name === "name");
		this.lines = picture.columns.map((column, i) => picture.rows
			.map((row) => ({ value: picture.values(row)[i], row }))
			.filter(({ value }) => value !== null)
			.sort((a, b) => b.value - a.value));
		this.controls = [];
	}

	isEmpty() {
		return this.lines.every((line) => line.length === 0);
	}

	height() {
		return 380;
	}

	color(i) {
		return palette[this.lines.length - 1 - i];
	}

	legend() {
		if (this.lines.length < 2)
			return [];
		return this.picture.columns.map(({ title }, i) => [this.color(i), title]);
	}

	tip(data, place) {
		const rank = place?.[0]?.dataIndex;

		if (rank === undefined)
			return null;
		return [`number ${rank + 1} of ${this.lines[0].length}`,
			...this.lines.filter((line) => rank < line.length).map((line, i) => {
				const { row, value } = line[rank];
				const name = this.named < 0 ? "" : ` (${row[this.named]})`;

				return `${this.picture.columns[i].title}: ` +
					`${this.picture.format(value, i)}${name}`;
			})];
	}

	option(theme) {
		const { picture } = this;
		const longest = Math.max(2, ...this.lines.map((line) => line.length));
		const range = {
			max: Math.max(0, ...this.lines.map((line) => line[0]?.value ?? 0)),
			min: Math.min(0, ...this.lines.map((line) => line.at(-1)?.value ?? 0)),
		};
		const marks = markLine(picture, "y", range, theme);

		return {
			grid: {
				left: 8, right: picture.marks.length > 0 ? 84 : 24,
				top: 16, bottom: 24, containLabel: true,
			},
			xAxis: {
				type: "value", min: 1, max: longest,
				name: "rank", nameLocation: "middle", nameGap: 26,
				nameTextStyle: { color: theme.faint },
				axisLabel: { color: theme.faint }, splitLine: { show: false },
				axisLine: { lineStyle: { color: theme.line } },
			},
			yAxis: valueAxis(picture, 0, range, theme),
			series: this.lines.map((line, i) => ({
				type: "line", animation: false, showSymbol: false,
				lineStyle: { width: 2, color: this.color(i) },
				itemStyle: { color: this.color(i) },
				data: line.map(({ value }, rank) => [rank + 1, value]),
				...(i === 0 ? { markLine: marks } : {}),
			})),
		};
	}
}
