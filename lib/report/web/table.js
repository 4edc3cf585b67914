// SPDX-License-Identifier: MIT

// Tables that sort and filter. The page has their first rows as they are without scripts; all
// rows are in the page's data.

const rowsAtFirst = 15;
const rowsMore = 500;
const collator = new Intl.Collator("en", { numeric: true });

function makeElement(name, properties, ...children) {
	const element = Object.assign(document.createElement(name), properties);

	element.append(...children);
	return element;
}

function compareValues(a, b) {
	if (typeof a === "string")
		return collator.compare(a, b);
	if (Array.isArray(a))
		return a.length - b.length || collator.compare(a.join(" "), b.join(" "));
	return a - b;
}

// What is not there comes last, whichever way the others are sorted.
function compareRows(a, b, sort) {
	const left = a[sort.column], right = b[sort.column];

	if (left === null || right === null)
		return (left === null) - (right === null);
	return sort.descends ? compareValues(right, left) : compareValues(left, right);
}

class TableView {
	constructor(element, table) {
		this.element = element;
		this.table = table;
		this.rows = table.rows;
		this.limit = rowsAtFirst;
		this.sort = null;
		this.texts = null;
		// A column of nulls says nothing, and is not in the page.
		this.shown = table.columns.map((column, i) => i)
			.filter((i) => table.rows.some((row) => row[i] !== null));
		if (table.rows.length < 2)
			return;
		this.makeHeaders();
		if (table.rows.length > 10)
			this.makeFilter();
		this.more = makeElement("p", { className: "more" });
		this.element.closest(".scroll").after(this.more);
		this.show();
	}

	makeHeaders() {
		this.headers = [...this.element.tHead.rows[0].cells];
		this.headers.forEach((header, i) => {
			const button = makeElement("button", { type: "button" },
				header.textContent);

			button.addEventListener("click", () => this.sortBy(this.shown[i]));
			header.replaceChildren(button);
		});
	}

	makeFilter() {
		const label = `Filter ${this.table.title}`;

		this.filter = makeElement("input", { type: "search", placeholder: "Filter rows" });
		this.filter.setAttribute("aria-label", label);
		this.filter.addEventListener("input", () => this.show());
		this.count = makeElement("output", {});
		this.element.closest(".scroll").before(
			makeElement("p", { className: "filter" }, this.filter, " ", this.count));
	}

	// Numbers are sorted from the largest first, for that is what people look for.
	sortBy(column) {
		const isNumber = ["integer", "real"].includes(this.table.columns[column].kind);
		const descends = this.sort?.column === column ? !this.sort.descends : isNumber;

		this.sort = { column, descends };
		this.headers.forEach((header, i) => {
			if (this.shown[i] === column)
				header.setAttribute("aria-sort",
					descends ? "descending" : "ascending");
			else
				header.removeAttribute("aria-sort");
		});
		this.rows = [...this.table.rows].sort((a, b) => compareRows(a, b, this.sort));
		this.show();
	}

	cellTexts(row) {
		return this.shown.map((i) => formatCell(row[i], this.table.columns[i]));
	}

	// The rows that hold each of the words.
	chosenRows() {
		const words = this.filter?.value.toLowerCase().split(/\s+/).filter(Boolean) ?? [];

		if (words.length === 0)
			return this.rows;
		this.texts ??= new Map(this.table.rows.map((row) =>
			[row, this.cellTexts(row).join("\n").toLowerCase()]));
		return this.rows.filter((row) => {
			const text = this.texts.get(row);

			return words.every((word) => text.includes(word));
		});
	}

	makeRow(row) {
		const columns = this.shown.map((i) => this.table.columns[i]);

		return makeElement("tr", {}, ...this.cellTexts(row).map((text, i) =>
			makeElement("td", { className: cellClass(columns[i], text) }, text)));
	}

	show() {
		const rows = this.chosenRows();

		this.element.tBodies[0].replaceChildren(
			...rows.slice(0, this.limit).map((row) => this.makeRow(row)));
		if (this.count)
			this.count.value = rows.length < this.table.rows.length
				? `${rows.length} of ${this.table.rows.length} rows`
				: `${rows.length} rows`;
		this.showMore(rows.length);
	}

	showMore(total) {
		const rest = total - this.limit;

		this.more.replaceChildren();
		if (rest <= 0)
			return;
		this.more.append(`${this.limit} of ${total} rows shown. `);
		if (rest > rowsMore)
			this.addMoreButton(`${rowsMore} more`, this.limit + rowsMore);
		this.addMoreButton(`All ${total}`, total);
	}

	addMoreButton(text, limit) {
		const button = makeElement("button", { type: "button" }, text);

		button.addEventListener("click", () => {
			this.limit = limit;
			this.show();
		});
		this.more.append(button, " ");
	}
}

const severities = ["error", "warning", "info"];

// As report_html_table.c has it.
function cellClass(column, text) {
	if (column.name === "severity" && severities.includes(text))
		return text;
	return column.left ? "" : "number";
}
