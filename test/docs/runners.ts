/** Which test runs or checks which block. A new block on a page needs a line here, or `<!-- not run: why -->` above it. */
import { TOURS } from "#test/readme/tours.ts";
import { type Block, fileName } from "./blocks.ts";

interface Runner {
  /** The test or tool, relative to the checkout. */
  readonly file: string;
  readonly takes: (block: Block) => boolean;
}

/** @param languages separated by spaces. @param only a further condition. */
const on =
  (page: string, languages: string, only: (block: Block) => boolean = () => true) =>
  (block: Block): boolean =>
    block.page === page && languages.split(" ").includes(block.language) && only(block);

const isNamed = (block: Block): boolean => fileName(block) !== undefined;

/** In no order: a block has one. */
export const RUNNERS: readonly Runner[] = [
  ...Object.keys(TOURS).map((page) => ({ file: "test/readme/tours.test.ts", takes: on(page, "sh") })),
  {
    file: "test/readme/tours.test.ts",
    takes: ({ page, language }) => /^(README|docs\/tutorial)\.md$/.test(page) && language === "text",
  },
  { file: "test/readme/readme.test.ts", takes: on("README.md", "shell") },
  { file: "test/client/built/documented.test.ts", takes: on("README.md", "ts") },
  { file: "test/docs/examples.test.ts", takes: on("docs/control-api.md", "sh") },
  { file: "test/docs/command-line.test.ts", takes: on("docs/command-line.md", "sh jsonc") },
  { file: "test/docs/fixture-page.test.ts", takes: on("docs/fixtures.md", "jsonc", isNamed) },
  { file: "test/docs/fixture-page.test.ts", takes: on("docs/fixtures.md", "text") },
  { file: "test/docs/data-blocks.test.ts", takes: on("docs/tokens.md", "json") },
  { file: "test/docs/data-blocks.test.ts", takes: on("docs/delivery.md", "json") },
  { file: "test/docs/data-blocks.test.ts", takes: on("docs/deploy/kubernetes.md", "yaml") },
  { file: "test/docs/data-blocks.test.ts", takes: on("docs/recipes/github-actions.md", "yaml") },
  { file: "test/programs/mcp/built/mcp.test.ts", takes: on("docs/agents.md", "json toml") },
  { file: "test/changes/first-edits.test.ts", takes: on("docs/internals/changes.md", "diff") },
  { file: "test/client/built/documented.test.ts", takes: on("docs/testing.md", "ts js text") },
  { file: "test/client/built/documented.test.ts", takes: on("docs/deploy/scale.md", "ts") },
  { file: "test/client/built/documented.test.ts", takes: on("docs/failed-logins.md", "js") },
  { file: "test/client/built/documented.test.ts", takes: on("docs/rewind.md", "js") },
  { file: "test/client/built/recipes.test.ts", takes: on("docs/recipes/README.md", "sh") },
  { file: "test/programs/helper/built/own-users.test.ts", takes: on("docs/recipes/README.md", "python text") },
  ...["github-actions.md", "detox.md", "playwright.md"].map((name) => ({
    file: "test/client/built/recipes.test.ts",
    takes: on(`docs/recipes/${name}`, "sh js", isNamed),
  })),
  { file: "test/client/built/recipes.test.ts", takes: on("docs/recipes/after-the-login.md", "js graphql", isNamed) },
  { file: "test/features/failures/faults/lost-answers-page.test.ts", takes: on("docs/lost-answers.md", "js") },
  { file: "test/programs/explore/built/recipe.test.ts", takes: on("docs/recipes/explore.md", "js", isNamed) },
  { file: "test/client/built/one-secret.test.ts", takes: on("docs/recipes/one-secret.md", "js jsx html") },
  {
    file: "test/features/failures/coverage/built/project.test.ts",
    takes: on("docs/recipes/coverage.md", "js", isNamed),
  },
  { file: "test/features/failures/coverage/built/project.test.ts", takes: on("docs/recipes/coverage.md", "text") },
  { file: "test/generators/clients.test.ts", takes: on("docs/openapi.md", "sh ts") },
  { file: "test/verifiers/run.mjs", takes: ({ comment }) => comment.startsWith("verifier: ") },
];
