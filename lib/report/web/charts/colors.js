// SPDX-License-Identifier: MIT

// Steps of a scale are fixed, not made from the data, so that a colour means the same in every
// report. Red and yellow only for what needs a hand.

const scales = {
	fill: {
		bounds: [55, 65, 75, 85, 90],
		light: ["#dbe8f3", "#b4d1e8", "#86b4d9", "#5791c4", "#e8a33d", "#c93a2f"],
		dark: ["#1e3a52", "#27506f", "#33698f", "#4587b5", "#d6922f", "#d4493d"],
	},
	target: {
		bounds: [70, 85, 95, 105, 115, 130],
		light: ["#3f78ad", "#86b4d9", "#c7ddee", "#e6e6e1", "#f3d49a", "#e8a33d",
			"#c93a2f"],
		dark: ["#5d9fd4", "#3a719c", "#2a4d68", "#3d4247", "#7a5c2b", "#c98a2e",
			"#d4493d"],
	},
};

// What the theme is, and the colours that the style sheet gives to the page.
export function readTheme() {
	const root = document.documentElement;
	const style = getComputedStyle(root);
	const read = (name) => style.getPropertyValue(name).trim();

	return {
		name: root.dataset.theme === "dark" ? "dark" : "light",
		text: read("--text"),
		faint: read("--faint"),
		line: read("--line"),
		back: read("--back"),
		accent: read("--accent"),
		font: style.fontFamily,
	};
}

export function scaleColor(scale, value, theme) {
	const steps = scales[scale];

	if (!steps)
		return theme.accent;
	if (value === null || !Number.isFinite(value))
		return theme.line;
	const step = steps.bounds.findIndex((bound) => value < bound);

	return steps[theme.name].at(step);
}

// [colour, text] for each step.
export function scaleLegend(scale, theme) {
	const steps = scales[scale];

	if (!steps)
		return [];
	return steps[theme.name].map((color, i) => {
		const low = steps.bounds[i - 1], high = steps.bounds[i];

		if (low === undefined)
			return [color, `under ${high} %`];
		return [color, high === undefined ? `${low} % and more` : `${low}–${high} %`];
	});
}

// Text that can be read on a colour.
export function textOn(color) {
	const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

	return 0.3 * red + 0.59 * green + 0.11 * blue > 140 ? "#1a1d21" : "#ffffff";
}

export const palette = ["#4c84b6", "#d99a3a", "#5d9f73", "#a76c9c", "#c3675a", "#6aa9a6", "#8d7bc0",
	"#a4906a", "#7c8b99", "#b4a23a", "#5f7fd0", "#c07f9d", "#769a4d", "#9a6f52", "#58a0c9"];
