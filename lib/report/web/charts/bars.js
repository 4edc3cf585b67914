// SPDX-License-Identifier: MIT

import { scaleColor, scaleLegend } from "./colors.js";
import { markLine, markRow, valueAxis } from "./axes.js";

const barsMax = 40;

// The largest first, with their numbers in a column of their own: beside the bars the lines would
// cross them.
export class Bars {
	constructor(picture) {
		this.picture = picture;
		this.bars = picture.rows.map((row) => picture.values(row))
			.filter(([, value]) => value !== null)
			.sort((a, b) => b[1] - a[1]);
		this.total = this.bars.length;
		this.range = { max: this.bars[0]?.[1] ?? 0, min: this.bars.at(-1)?.[1] ?? 0 };
		this.bars = this.bars.slice(0, barsMax);
		this.controls = [];
	}

	isEmpty() {
		return this.total === 0;
	}

	// Of the marks' names; the third may stand too near to the second.
	secondRow() {
		return this.picture.marks.length > 2 ? markRow : 0;
	}

	height() {
		return 24 * this.bars.length + 80 + this.secondRow();
	}

	remark() {
		return this.total > barsMax ? `The ${barsMax} largest of ${this.total}.` : "";
	}

	legend(theme) {
		return scaleLegend(this.picture.scale, theme);
	}

	tip(data) {
		const { columns, format } = this.picture;

		if (!data?.bar)
			return null;
		const [name, value, before] = data.bar;
		const lines = [format(name, 0), `${columns[1].title}: ${format(value, 1)}`];

		return columns[2] ? [...lines, `${columns[2].title}: ${format(before, 2)}`] : lines;
	}

	series(theme) {
		const { picture } = this;
		const start = (bar) => picture.columns[2] ? bar[2] ?? 0 : 0;
		const base = { type: "bar", stack: "all", animation: false, barCategoryGap: "35%" };
		const data = this.bars.map((bar) => ({
			value: bar[1] - start(bar), bar,
			itemStyle: { color: scaleColor(picture.scale, bar[1], theme) },
		}));

		return [
			{ ...base, itemStyle: { color: theme.line },
				data: this.bars.map((bar) => ({ value: start(bar), bar })) },
			{ ...base, data, markLine: markLine(picture, "x", this.range, theme) },
		];
	}

	option(theme) {
		const { picture } = this;
		const names = (texts) => ({
			type: "category", inverse: true, data: texts, axisTick: { show: false },
			axisLine: { lineStyle: { color: theme.line } },
			axisLabel: {
				color: theme.text, fontSize: 12, width: 190, overflow: "truncate",
			},
		});

		return {
			grid: { left: 8, right: 8, top: 24 + this.secondRow(), bottom: 8,
				containLabel: true },
			xAxis: valueAxis(picture, 1, this.range, theme),
			yAxis: [names(this.bars.map(([name]) => picture.format(name, 0))),
				names(this.bars.map(([, value]) => picture.format(value, 1)))],
			series: this.series(theme),
		};
	}
}
