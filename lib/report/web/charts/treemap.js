// SPDX-License-Identifier: MIT

import { scaleColor, scaleLegend, textOn } from "./colors.js";

// More tiles than this are dust: then the lowest level is left out, until one of its parents is
// looked at.
const tilesMax = 20000;
// More than this have no room for their names.
const labelsMax = 2000;
// More holders than this have no room for their names.
const namedMax = 120;
const choicesMax = 2000;

function makeNode(name, path) {
	return { name, path, children: new Map(), value: null,
		size: 0, leaves: 0, known: 0, sum: 0 };
}

function growTree(picture) {
	const root = makeNode("all", "");

	for (const row of picture.rows) {
		const [location, own, size, value] = picture.values(row);
		let node = root;

		for (const name of [...(location ?? "").split("/").filter(Boolean), own]) {
			if (!node.children.has(name))
				node.children.set(name, makeNode(name, `${node.path}/${name}`));
			node = node.children.get(name);
		}
		node.size = Number(size ?? 0);
		node.value = value;
	}
	return root;
}

// Sizes of what is in it, and the mean by size of the values that are known.
function sumUp(node) {
	if (node.children.size === 0) {
		node.leaves = 1;
		node.known = node.value === null ? 0 : node.size;
		node.sum = (node.value ?? 0) * node.size;
		return;
	}
	for (const child of node.children.values()) {
		sumUp(child);
		for (const key of ["size", "leaves", "known", "sum"])
			node[key] += child[key];
	}
	node.value = node.known > 0 ? node.sum / node.known : null;
}

function countTiles(node, depth) {
	let count = 0;

	if (depth === 0 || node.children.size === 0)
		return 1;
	for (const child of node.children.values())
		count += countTiles(child, depth - 1);
	return count;
}

// How deep the tree is, or as deep as there is room for its tiles.
function fittingDepth(node) {
	let depth = 1, count = countTiles(node, 1), next = countTiles(node, 2);

	while (next > count && next <= tilesMax) {
		depth++;
		count = next;
		next = countTiles(node, depth + 1);
	}
	return depth;
}

// Roots of one child say nothing, unless that is all there is.
function skipSingles(node) {
	const [child] = node.children.values();

	return node.children.size === 1 && child.children.size > 0 ? skipSingles(child) : node;
}

function choices(node, depth, list) {
	for (const child of node.children.values()) {
		if (child.children.size < 2)
			continue;
		list.push([child, depth]);
		if (depth < 2)
			choices(child, depth + 1, list);
	}
	return list;
}

export class Treemap {
	constructor(picture, tools) {
		this.picture = picture;
		this.tools = tools;
		this.tree = growTree(picture);
		sumUp(this.tree);
		this.top = skipSingles(this.tree);
		this.root = this.top;
		this.makeChoice();
	}

	isEmpty() {
		return !(this.top.size > 0);
	}

	height() {
		return 520;
	}

	remark() {
		const { leaves } = this.top;

		return leaves <= tilesMax ? "" : `${leaves} are too many to be told apart: ` +
			"a tile stands for what holds some of them, until you look at a part.";
	}

	// By keyboard, too: which part of the tree is shown.
	makeChoice() {
		const { makeElement } = this.tools;
		const all = choices(this.top, 0, []);
		const list = all.length <= choicesMax ? all
			: all.filter(([, depth]) => depth === 0);

		this.controls = [];
		if (list.length === 0 || list.length > choicesMax)
			return;
		this.nodes = [this.top, ...list.map(([node]) => node)];
		this.select = makeElement("select", {}, makeElement("option", {}, "everything"),
			...list.map(([node, depth]) =>
				makeElement("option", {}, "\u2003".repeat(depth) + node.name)));
		this.select.addEventListener("change", () => {
			this.root = this.nodes[this.select.selectedIndex];
			this.picture.redraw();
		});
		this.controls = [makeElement("label", {}, "Show ", this.select)];
	}

	// The library makes copies of what it is given, so tiles know their node by number.
	makeTile(node, depth, theme) {
		const number = this.shown.push(node) - 1;
		const tile = { name: node.name, value: node.size, number };

		if (depth > 0 && node.children.size > 0) {
			tile.children = [...node.children.values()].map((child) =>
				this.makeTile(child, depth - 1, theme));
			return tile;
		}
		const color = scaleColor(this.picture.scale, node.value, theme);

		tile.itemStyle = { color };
		if (this.labelled)
			tile.label = { color: textOn(color) };
		return tile;
	}

	click(data) {
		const node = this.shown[data?.number];
		const at = this.nodes?.indexOf(node) ?? -1;

		if (at < 0)
			return;
		this.root = this.root === node ? this.top : node;
		this.select.selectedIndex = this.nodes.indexOf(this.root);
		this.picture.redraw();
	}

	legend(theme) {
		return scaleLegend(this.picture.scale, theme);
	}

	tip(data) {
		const { columns, format } = this.picture;
		const node = this.shown[data?.number];

		if (!node)
			return null;
		return [node.path.slice(1).replaceAll("/", " / "),
			`${columns[2].title}: ${format(node.size, 2)}`,
			...(columns[3] ? [`${columns[3].title}: ${format(node.value, 3)}`] : []),
			...(node.children.size > 0 ? [`${node.leaves} in it`] : [])];
	}

	// A name that is cut off says nothing.
	labels() {
		if (!this.labelled)
			return { label: { show: false } };
		return {
			label: { fontSize: 11, padding: 2 },
			labelLayout: ({ rect, text }) =>
				6.7 * text.length + 4 > rect.width ? { fontSize: 0 } : {},
		};
	}

	option(theme) {
		const depth = fittingDepth(this.root);

		this.shown = [];
		this.labelled = countTiles(this.root, depth) <= labelsMax;
		const data = this.makeTile(this.root, depth, theme).children ?? [];
		// Gaps tell the levels apart; names of the lowest holders only where there is room.
		const named = countTiles(this.root, depth - 1) <= namedMax ? depth - 1 : depth - 2;
		const gaps = [0, this.labelled ? 1 : 0, 2, 4, 6];
		const levels = Array.from({ length: depth + 1 }, (_, i) => ({
			itemStyle: { gapWidth: gaps[Math.min(depth - i, 4)], borderWidth: 0,
				borderColor: theme.back },
			upperLabel: { show: i > 0 && i <= named, height: 18, color: theme.text,
				backgroundColor: theme.back, padding: [0, 4], fontSize: 12 },
		}));

		return {
			series: [{
				type: "treemap", data, sort: false, roam: false, nodeClick: false,
				animation: false, breadcrumb: { show: false },
				left: 0, right: 0, top: 0, bottom: 0, visibleMin: 1,
				levels, ...this.labels(),
			}],
		};
	}
}
