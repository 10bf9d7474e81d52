import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { isAt } from "./test-projects.mjs";

/** Files that take long for their size. In CI, where no earlier run has been timed, this determines their order. */
export const SLOW: ReadonlySet<string> = new Set([
  "test/torture/built.test.ts",
  "test/e2e/accessibility.test.ts",
  "test/attack/slow-and-greedy.test.ts",
  "test/attack/request-log.test.ts",
  "test/e2e/profiles-many.test.ts",
  "test/client/documented.test.ts",
  "test/programs/helper/built/helper.test.ts",
  "test/generators/collection.test.ts",
  "test/fuzz/fuzz.test.ts",
  "test/torture/rooms.test.ts",
  "test/changes/first-edits.test.ts",
  "test/features/**/thorough/",
  "test/programs/*/thorough/",
  "test/features/failures/faults/repeating-clients.test.ts",
  "test/model/login.model.test.ts",
  "test/mutants/mutants.test.ts",
  "test/store/recovery/kill.test.ts",
  "test/walls/regexes.test.ts",
]);

/** Keeps the files of a project together, because workers are only reused within a project. Slow files come first. */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name);
    const isSlow = ({ moduleId }: TestSpecification): number => {
      const file = relative(this.ctx.config.root, moduleId).replaceAll("\\", "/");
      return Number([...SLOW].some((place) => isAt(file, place)));
    };
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name) || isSlow(b) - isSlow(a),
    );
  }
}
