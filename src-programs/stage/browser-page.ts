/** One page of a headless browser, driven through the pipe of the DevTools protocol: no package, no port. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { frozen } from "#contract/frozen.ts";

const FLAGS = frozen([
  "--headless",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-prefers-reduced-motion",
]);

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});
const contextCreated = z.object({ context: z.object({ id: z.number(), origin: z.string() }) });
const targetAttached = z.object({ sessionId: z.string() });
const targetCreated = z.object({ targetId: z.string() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

/** How long a browser may take to end, in milliseconds. */
const CLOSE_MS = 5_000;
/** How often a condition is looked at, in milliseconds. */
const LOOK_MS = 50;

type Answer = (error: Error | undefined, result?: unknown) => void;

/** @see file */
export class BrowserPage {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, Answer>();
  /** The newest place to evaluate in, by origin. */
  readonly #contexts = new Map<string, { readonly sessionId: string; readonly id: number }>();
  #ids = 0;
  #rest = "";
  #session = "";

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    const fail = (error: Error): void => {
      for (const answer of this.#waiting.values()) answer(error);
      this.#waiting.clear();
    };
    child.on("error", fail).on("exit", () => fail(new Error("the browser ended")));
    child.stdio[4]?.on("data", (data: Buffer) => this.#read(String(data)));
  }

  /** Starts a browser with an empty page. @param path of the browser. @param size in pixels. @throws Error if it does not start. */
  static async open(path: string, [width, height]: readonly [number, number]): Promise<BrowserPage> {
    const profile = await mkdtemp(join(tmpdir(), "stagedoor-browser-"));
    // Chromium's sandbox does not work for root, as in a container.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const args = [...FLAGS, ...sandbox, `--user-data-dir=${profile}`];
    const child = spawn(path, args, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const page = new BrowserPage(child, profile);
    try {
      const { targetId } = targetCreated.parse(await page.#send("Target.createTarget", { url: "about:blank" }));
      const attached = await page.#send("Target.attachToTarget", { targetId, flatten: true });
      page.#session = targetAttached.parse(attached).sessionId;
      await page.#follow(page.#session);
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
      await page.#send("Emulation.setDeviceMetricsOverride", metrics, page.#session);
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** Opens a URL. */
  async goto(url: string): Promise<void> {
    await this.#send("Page.navigate", { url }, this.#session);
  }

  /** Evaluates an expression in the page, or in a frame of it. @param origin of the page or frame. @throws Error */
  async evaluate(origin: string, expression: string): Promise<unknown> {
    const context = this.#contexts.get(origin);
    if (context === undefined) throw new Error(`no page of ${origin}`);
    const options = { expression, contextId: context.id, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = evaluated.parse(
      await this.#send("Runtime.evaluate", options, context.sessionId),
    );
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true. @returns whether it became true within `ms`. */
  async until(origin: string, expression: string, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    for (;;) {
      // While it navigates, the page may have no place to evaluate in.
      if ((await this.evaluate(origin, expression).catch(() => false)) === true) return true;
      if (performance.now() > end) return false;
      await pause(LOOK_MS);
    }
  }

  /** Ends the browser, and removes its profile. */
  async close(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined) {
      const ended = new Promise((resolve) => this.#child.once("exit", resolve));
      // The program may be a script that started the browser, so that a signal would not reach it.
      this.#send("Browser.close", {}).catch(() => undefined);
      const timer = setTimeout(() => this.#child.kill("SIGKILL"), CLOSE_MS);
      await ended;
      clearTimeout(timer);
    }
    for (const pipe of this.#child.stdio) pipe?.destroy();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  async #follow(sessionId: string): Promise<void> {
    await this.#send("Page.enable", {}, sessionId);
    await this.#send("Runtime.enable", {}, sessionId);
    // Frames of other sites have targets of their own.
    const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
    await this.#send("Target.setAutoAttach", options, sessionId);
  }

  #send(method: string, params: object, sessionId?: string): Promise<unknown> {
    const id = ++this.#ids;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (error, result) => (error === undefined ? resolve(result) : reject(error)));
      const pipe = this.#child.stdio[3];
      const line = JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) });
      if (pipe instanceof Writable) pipe.write(`${line}\0`);
    });
  }

  #read(data: string): void {
    const parts = (this.#rest + data).split("\0");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) this.#take(message.parse(JSON.parse(part)));
  }

  #take({ id, method, sessionId = "", params, result, error }: z.infer<typeof message>): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(error === undefined ? undefined : new Error(error.message), result);
      this.#waiting.delete(id);
    }
    const created = method === "Runtime.executionContextCreated" ? contextCreated.safeParse(params).data : undefined;
    if (created !== undefined) this.#contexts.set(created.context.origin, { sessionId, id: created.context.id });
    const attached = method === "Target.attachedToTarget" ? targetAttached.safeParse(params).data : undefined;
    if (attached !== undefined && attached.sessionId !== this.#session)
      this.#follow(attached.sessionId).catch(() => undefined);
  }
}
