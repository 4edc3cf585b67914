// SPDX-License-Identifier: MIT

// An attempt a line: the buckets that were asked, one after the other, in each the winner and, as a
// bar, how near the next one came. Made of elements, not drawn, so that it can be read aloud.

const linesMax = 200;

export class Descent {
	constructor(picture, tools) {
		this.picture = picture;
		this.tools = tools;
		this.draws = false;
		this.controls = [];
		this.lines = this.gather();
		this.total = this.lines.length;
	}

	// An attempt ends with a verdict, but what is taken may be a bucket: then it goes on.
	gather() {
		const lines = [];
		let line = null;

		for (const row of this.picture.rows) {
			const [step, place, bucket, item, second, behind, verdict, reason] =
				this.picture.values(row);

			if (bucket === null)
				continue;
			if (!line || line.step !== step || line.place !== place || line.isOver) {
				line = { step, place, draws: [], verdict: null, reason: null,
					isAgain: line?.step === step && line.place === place };
				lines.push(line);
			}
			line.draws.push({ bucket, item, second, behind });
			line.verdict = verdict ?? line.verdict;
			line.reason = reason ?? line.reason;
			line.isOver = verdict !== null && verdict !== "taken";
		}
		return lines;
	}

	isEmpty() {
		return this.total === 0;
	}

	height() {
		return 0;
	}

	legend() {
		return [];
	}

	remark() {
		return this.total > linesMax
			? `The first ${linesMax} of ${this.total} attempts.` : "";
	}

	makeCandidate(name, part, text) {
		const { makeElement } = this.tools;
		const bar = makeElement("span", { className: "bar" });

		bar.style.width = `${100 * part}%`;
		return makeElement("div", { className: "candidate" },
			makeElement("span", {}, name), makeElement("span", {}, text), bar);
	}

	makeDraw({ bucket, item, second, behind }) {
		const { makeElement } = this.tools;
		const candidates = [this.makeCandidate(makeElement("strong", {}, item ?? "nothing"),
			1, "")];

		if (second !== null && behind >= 1)
			candidates.push(this.makeCandidate(second, 1 / behind,
				`needs ${this.picture.format(behind, 5)} its weight`));
		return makeElement("li", {}, makeElement("div", { className: "asked" }, bucket),
			...candidates);
	}

	makeLine({ step, place, draws, verdict, reason, isAgain }) {
		const { makeElement } = this.tools;
		const title = `step ${step}, place ${place ?? "?"}${isAgain ? ", again" : ""}`;

		return makeElement("section",
			{ className: verdict === "taken" ? "taken" : "rejected" },
			makeElement("h4", {}, title),
			makeElement("ol", {}, ...draws.map((draw) => this.makeDraw(draw))),
			makeElement("p", {}, reason ?? verdict ?? ""));
	}

	after() {
		return this.tools.makeElement("div", { className: "descent" },
			...this.lines.slice(0, linesMax).map((line) => this.makeLine(line)));
	}
}
