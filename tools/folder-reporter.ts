import { dirname } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification, Vitest } from "vitest/node";

/** How long nothing may be printed, in milliseconds. */
const SILENCE_MS = 15_000;

/** The files of one folder: how many are still to end, and what those that have ended add up to. */
interface Folder {
  left: number;
  passed: number;
  failed: number;
  skipped: number;
  /** What its files took in their workers, which run side by side. */
  ms: number;
}

/** @returns the line of a folder, such as `✓ test/http/guards: 187 passed, 1 skipped (12 s)`. */
const folderLine = (name: string, { passed, failed, skipped, ms }: Omit<Folder, "left">): string => {
  const counts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${failed > 0 ? "✗" : "✓"} ${name}: ${counts.join(", ")} (${Math.ceil(ms / 1_000)} s)`;
};

/** Prints a line for each folder when its last file ends, each failed test at once with its error, and all failures again at the end. */
export class FolderReporter implements Reporter {
  #vitest: Vitest | undefined;
  #folders = new Map<string, Folder>();
  #running = new Set<string>();
  #failures: string[] = [];
  #ended = 0;
  #files = 0;
  #printedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length;
    for (const { testModule, moduleId } of files) {
      const folder = this.#folderOf(testModule?.relativeModuleId ?? this.#relative(moduleId));
      folder.left++;
    }
    this.#printedAt = Date.now();
    this.#timer = setInterval(() => this.#breakSilence(), 1_000).unref();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "failed") this.#fail(`${test.module.relativeModuleId} > ${test.fullName}`, errors ?? [], test.module);
  }

  onTestModuleEnd(module: TestModule): void {
    const name = module.relativeModuleId;
    this.#running.delete(name);
    this.#ended++;
    const folder = this.#folderOf(name);
    const outside = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
    if (outside.length > 0) this.#fail(name, outside, module);
    folder.failed += outside.length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      folder[state === "passed" || state === "failed" ? state : "skipped"]++;
    }
    const { duration, collectDuration, setupDuration } = module.diagnostic();
    folder.ms += duration + collectDuration + setupDuration;
    folder.left--;
    if (folder.left === 0) this.#print(folderLine(dirname(name), folder));
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    clearInterval(this.#timer);
    for (const error of errors) this.#fail("outside any test", [error]);
    if (this.#failures.length === 0) return;
    this.#print("\nFailed:");
    for (const name of this.#failures) this.#print(`  ${name}`);
  }

  #relative(moduleId: string): string {
    const root = this.#vitest?.config.root ?? "";
    return moduleId.startsWith(root) ? moduleId.slice(root.length).replace(/^\//, "") : moduleId;
  }

  #folderOf(file: string): Folder {
    const name = dirname(file);
    const folder = this.#folders.get(name) ?? { left: 0, passed: 0, failed: 0, skipped: 0, ms: 0 };
    this.#folders.set(name, folder);
    return folder;
  }

  #fail(name: string, errors: readonly SerializedError[], module?: TestModule): void {
    this.#failures.push(name);
    this.#print(`✗ ${name}`);
    for (const error of errors)
      this.#vitest?.logger.printError(error, module === undefined ? {} : { project: module.project });
  }

  #breakSilence(): void {
    if (Date.now() - this.#printedAt < SILENCE_MS) return;
    const [first = "", ...others] = this.#running;
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    this.#print(`… ${this.#ended} of ${this.#files} files${first === "" ? "" : `; now ${first}${more}`}`);
  }

  #print(line: string): void {
    this.#printedAt = Date.now();
    console.log(line);
  }
}
