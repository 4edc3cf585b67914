// SPDX-License-Identifier: MIT

import { palette } from "./colors.js";

// Beyond these, ribbons are hair, and a matrix is too wide to read: the list has to do.
const ribbonsMax = 15;
const matrixMax = 32;
const collator = new Intl.Collator("en", { numeric: true });

function sortedNames(names) {
	return [...new Set(names)].sort((a, b) =>
		(a === null) - (b === null) || collator.compare(a, b));
}

export class Flows {
	constructor(picture, tools) {
		this.picture = picture;
		this.tools = tools;
		this.flows = picture.rows.map((row) => picture.values(row));
		this.from = sortedNames(this.flows.map(([from]) => from));
		this.to = sortedNames(this.flows.map(([, to]) => to));
		this.all = sortedNames([...this.from, ...this.to]);
		this.draws = this.all.length <= ribbonsMax;
		this.controls = [];
	}

	isEmpty() {
		return !this.draws && !this.fitsMatrix();
	}

	fitsMatrix() {
		return this.from.length <= matrixMax && this.to.length <= matrixMax;
	}

	height() {
		return Math.max(260, 34 * Math.max(this.from.length, this.to.length));
	}

	legend() {
		return [];
	}

	name(name) {
		return this.picture.format(name, 0);
	}

	// The part of the largest is the shade, so that the stray ones can be told.
	after() {
		const { makeElement } = this.tools;
		const { format, columns } = this.picture;
		const cells = new Map(this.flows.map(([from, to, value]) =>
			[JSON.stringify([from, to]), value]));
		const largest = Math.max(...this.flows.map(([, , value]) => value ?? 0));

		if (!this.fitsMatrix())
			return null;
		const makeCell = (from, to) => {
			const value = cells.get(JSON.stringify([from, to])) ?? null;
			const cell = makeElement("td", { className: "number" },
				value === null ? "·" : format(value, 2));

			if (value !== null)
				cell.style.setProperty("--part", `${60 * value / largest}%`);
			return cell;
		};
		const makeHead = (text, className) =>
			makeElement("th", { scope: "col", className }, text);
		const head = makeElement("tr", {}, makeHead("from → to", ""),
			...this.to.map((to) => makeHead(this.name(to), "number")));
		const body = this.from.map((from) => makeElement("tr", {},
			makeElement("th", { scope: "row" }, this.name(from)),
			...this.to.map((to) => makeCell(from, to))));
		const table = makeElement("table", { className: "matrix" },
			makeElement("caption", {}, `${columns[2].title}, from row to column`),
			makeElement("thead", {}, head), makeElement("tbody", {}, ...body));

		return makeElement("div", { className: "scroll", tabIndex: 0 }, table);
	}

	tip(data) {
		const { format } = this.picture;

		if (data?.flow) {
			const [from, to, value] = data.flow;

			return [`${this.name(from)} → ${this.name(to)}`, format(value, 2)];
		}
		return data?.side ? [`${data.side} ${this.name(data.own)}`, format(data.total, 2)]
			: null;
	}

	nodes(side, names, index, theme) {
		return names.map((own) => {
			const total = this.flows.reduce((sum, flow) =>
				sum + (flow[index] === own ? flow[2] ?? 0 : 0), 0);

			return { name: JSON.stringify([side, own]), side, own, total,
				itemStyle: { color: this.color(own) },
				label: {
					position: index === 0 ? "left" : "right", color: theme.text,
				} };
		});
	}

	describe({ own, total }) {
		return `${this.name(own)}  ${this.picture.format(total, 2)}`;
	}

	color(name) {
		return palette[this.all.indexOf(name) % palette.length];
	}

	option(theme) {
		const links = this.flows.filter(([, , value]) => value > 0).map((flow) => ({
			source: JSON.stringify(["from", flow[0]]),
			target: JSON.stringify(["to", flow[1]]),
			value: flow[2], flow,
			lineStyle: { color: this.color(flow[0]) },
		}));

		const opacity = theme.name === "dark" ? 0.5 : 0.4;
		const data = [...this.nodes("from", this.from, 0, theme),
			...this.nodes("to", this.to, 1, theme)];

		return {
			series: [{
				type: "sankey", animation: false, draggable: false,
				left: 150, right: 150, top: 8, bottom: 8, nodeWidth: 10,
				nodeGap: 8, layoutIterations: 0,
				emphasis: { focus: "adjacency" },
				lineStyle: { opacity, curveness: 0.5 },
				label: {
					fontSize: 12,
					formatter: ({ data }) => this.describe(data),
				},
				data, links,
			}],
		};
	}
}
