// SPDX-License-Identifier: MIT

import * as echarts from "echarts/core";
import { BarChart, LineChart, SankeyChart, TreemapChart } from "echarts/charts";
import { GridComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { LabelLayout } from "echarts/features";
import { CanvasRenderer } from "echarts/renderers";

import { Bars } from "./bars.js";
import { readTheme } from "./colors.js";
import { Descent } from "./descent.js";
import { Flows } from "./flows.js";
import { Ranks } from "./ranks.js";
import { Treemap } from "./treemap.js";

echarts.use([BarChart, LineChart, SankeyChart, TreemapChart, GridComponent, MarkLineComponent,
	TooltipComponent, LabelLayout, CanvasRenderer]);

const shapes = { treemap: Treemap, flows: Flows, bars: Bars, ranks: Ranks,
	descent: Descent };

// A picture of a table: the columns that it shows, their values in a row, and how to write them.
class Picture {
	constructor(from, result, tools) {
		Object.assign(this, from);
		this.table = result.tables[from.table];
		this.rows = this.table.rows;
		this.columns = from.columns.map((column) => this.table.columns[column]);
		this.tools = tools;
		this.indexes = from.columns;
	}

	values(row) {
		return this.indexes.map((index) => row[index]);
	}

	format = (value, column) => this.tools.formatCell(value, this.columns[column]);

	// On an axis.
	round(value, column) {
		const { unit } = this.columns[column];

		if (unit === "bytes")
			return this.tools.formatBytes(value);
		return unit === "percent" ? `${value} %` : String(value);
	}
}

class Drawing {
	constructor(figure, picture, tools) {
		this.figure = figure;
		this.tools = tools;
		this.picture = picture;
		picture.redraw = () => this.draw();
		this.shape = new shapes[picture.shape](picture, tools);
		// Where all is null there is nothing to show.
		figure.hidden = this.shape.isEmpty();
		if (figure.hidden)
			return;
		this.makeParts();
		this.draw();
	}

	makeParts() {
		const { makeElement } = this.tools;
		const { shape } = this;
		const remark = shape.remark?.() ?? "";

		this.canvas = makeElement("div", { className: "canvas", role: "img" });
		this.canvas.ariaLabel =
			`${this.picture.title}. The table below has the figures. ${remark}`;
		this.canvas.style.height = `${shape.height()}px`;
		this.legend = makeElement("ul", { className: "legend" });
		if (shape.controls.length > 0)
			this.figure.append(
				makeElement("p", { className: "controls" }, ...shape.controls));
		if (shape.draws !== false)
			this.figure.append(this.canvas);
		if (remark)
			this.figure.append(makeElement("p", { className: "remark" }, remark));
		this.figure.append(this.legend, ...[shape.after?.()].filter(Boolean));
	}

	// Names come from files: they are text, never markup.
	makeTip(params) {
		const { makeElement } = this.tools;
		const first = Array.isArray(params) ? params[0] : params;
		const lines = this.shape.tip(first?.data, Array.isArray(params) ? params : null);

		if (!lines)
			return "";
		return makeElement("div", { className: "tip" },
			makeElement("strong", {}, lines[0]),
			...lines.slice(1).map((line) => makeElement("div", {}, line)));
	}

	draw() {
		if (this.figure.hidden)
			return;
		const theme = readTheme();

		this.drawLegend(theme);
		this.chart?.dispose();
		if (this.shape.draws === false)
			return;
		this.chart = echarts.init(this.canvas, null, { devicePixelRatio: 2 });
		this.chart.setOption({
			textStyle: { fontFamily: theme.font, color: theme.text },
			tooltip: {
				trigger: this.picture.shape === "ranks" ? "axis" : "item",
				confine: true, transitionDuration: 0,
				backgroundColor: theme.back, borderColor: theme.line,
				textStyle: { color: theme.text, fontSize: 12 },
				formatter: (params) => this.makeTip(params),
			},
			...this.shape.option(theme),
		});
		if (this.shape.click)
			this.chart.on("click", ({ data }) => this.shape.click(data));
	}

	drawLegend(theme) {
		const { makeElement } = this.tools;

		this.legend.replaceChildren(...this.shape.legend(theme).map(([color, text]) => {
			const swatch = makeElement("span", { className: "swatch" });

			swatch.style.background = color;
			return makeElement("li", {}, swatch, text);
		}));
	}
}

const drawings = [];

function redraw() {
	for (const drawing of drawings)
		drawing.draw();
}

function start(result, tools) {
	for (const figure of document.querySelectorAll("figure[data-picture]")) {
		const picture = new Picture(result.pictures[figure.dataset.picture], result, tools);

		drawings.push(new Drawing(figure, picture, tools));
	}
	addEventListener("resize", () => {
		for (const drawing of drawings)
			drawing.chart?.resize();
	});
}

globalThis.strewCharts = { start, redraw };
