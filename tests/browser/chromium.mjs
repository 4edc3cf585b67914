// SPDX-License-Identifier: MIT

// A headless Chromium, driven through a pipe by its own protocol: no package is needed for it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
	"--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe"];
const patience = 120000;

export class Chromium {
	constructor(program) {
		this.folder = mkdtempSync(join(tmpdir(), "strew-chromium-"));
		this.process = spawn(program, [...flags, `--user-data-dir=${this.folder}`],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
		this.waiting = new Map();
		this.listeners = new Set();
		this.calls = 0;
		this.rest = "";
		this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.take(text));
		this.process.on("exit", () => this.giveUp("Chromium has ended"));
		this.process.on("error", (error) => this.giveUp(error.message));
	}

	giveUp(message) {
		for (const { fail } of this.waiting.values())
			fail(new Error(message));
		this.waiting.clear();
	}

	take(text) {
		const messages = (this.rest + text).split("\0");

		this.rest = messages.pop();
		for (const message of messages)
			this.handle(JSON.parse(message));
	}

	handle({ id, method, params, result, error }) {
		const waiting = this.waiting.get(id);

		if (id === undefined) {
			for (const listener of this.listeners)
				listener(method, params);
			return;
		}
		this.waiting.delete(id);
		if (error)
			waiting.fail(new Error(error.message));
		else
			waiting.done(result);
	}

	call(method, params = {}) {
		const id = ++this.calls;
		const text = JSON.stringify({ id, method, params, sessionId: this.session });

		return new Promise((done, fail) => {
			const timer = setTimeout(() => fail(new Error(`${method}: no answer`)),
				patience);
			const stop = (then) => (value) => {
				clearTimeout(timer);
				then(value);
			};

			this.waiting.set(id, { done: stop(done), fail: stop(fail) });
			this.process.stdio[3].write(`${text}\0`);
		});
	}

	// The one page that all calls after this are for. What it complains of is in `complaints`.
	async start() {
		const { targetId } = await this.call("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.call("Target.attachToTarget",
			{ targetId, flatten: true });

		this.session = sessionId;
		this.complaints = [];
		this.listeners.add((method, params) => this.complain(method, params));
		for (const domain of ["Page", "Runtime", "Log"])
			await this.call(`${domain}.enable`);
		await this.call("Emulation.setDeviceMetricsOverride",
			{ width: 1400, height: 900, deviceScaleFactor: 1, mobile: false });
	}

	complain(method, params) {
		if (method === "Runtime.exceptionThrown")
			this.complaints.push(params.exceptionDetails.exception?.description ??
				params.exceptionDetails.text);
		if (method === "Runtime.consoleAPICalled")
			this.complaints.push(params.args.map(({ value }) => value).join(" "));
		if (method === "Log.entryAdded")
			this.complaints.push(params.entry.text);
	}

	// What the page says to an expression, which may be a promise.
	async ask(expression) {
		const { result, exceptionDetails: wrong } = await this.call("Runtime.evaluate",
			{ expression, returnByValue: true, awaitPromise: true });

		if (wrong)
			throw new Error(wrong.exception?.description ?? wrong.text);
		return result.value;
	}

	async open(file) {
		const loaded = new Promise((done) => {
			const listener = (method) => {
				if (method !== "Page.loadEventFired")
					return;
				this.listeners.delete(listener);
				done();
			};

			this.listeners.add(listener);
		});

		this.complaints = [];
		await this.call("Page.navigate", { url: `file://${file}` });
		await loaded;
	}

	async end() {
		const ended = new Promise((done) => this.process.on("exit", done));

		this.process.removeAllListeners("exit");
		this.process.on("exit", () => {});
		this.process.kill();
		await Promise.race([ended, new Promise((done) => setTimeout(done, 3000))]);
		rmSync(this.folder,
			{ recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	}
}
