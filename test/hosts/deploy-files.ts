/** Reads the files of docs/deploy, with no more of Dockerfile and YAML syntax than they use. */
import { z } from "zod";

const words = z.array(z.string());

/** The contents of an image, by its last stage. */
export interface Image {
  readonly workDir: string;
  /** `built`: from the build stage instead of the checkout; `path` is relative to the checkout either way. */
  readonly copied: readonly { readonly path: string; readonly to: string; readonly built: boolean }[];
  readonly variables: Readonly<Record<string, string>>;
  readonly healthCheck: readonly string[];
  readonly entryPoint: readonly string[];
  readonly command: readonly string[];
}

/** @param text of a Dockerfile. @returns its last stage. @throws Error if a part is missing or is not a JSON list. */
export const imageOf = (text: string): Image => {
  const stages = text
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "")
    .split(/^FROM .*\n/m);
  const lines = (stages.at(-1) ?? "").split("\n");
  const after = (start: string): string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length).trim());
  const list = (start: string): string[] => {
    const [found = "null"] = after(start);
    return words.parse(JSON.parse(found.slice(found.indexOf("["))));
  };
  return {
    workDir: after("WORKDIR ")[0] ?? "",
    copied: after("COPY ").flatMap((line) => {
      const given = line.split(/\s+/);
      const built = given.includes("--from=build");
      const paths = given.filter((word) => !word.startsWith("--"));
      const to = paths.pop() ?? "";
      // What the build stage makes elsewhere is no file of the checkout.
      const files = built ? paths.filter((path) => path.startsWith("/src/")) : paths;
      return files.map((path) => ({ path: path.replace(/^\/src\//, ""), to, built }));
    }),
    variables: Object.fromEntries(
      after("ENV ").flatMap((line) => line.split(/\s+/).map((one) => one.split(/=(.*)/, 2))),
    ),
    healthCheck: list("HEALTHCHECK "),
    entryPoint: list("ENTRYPOINT "),
    command: list("CMD "),
  };
};

/** @param text of a Compose file. @returns a service's Stagedoor variables and command. @throws Error without one. */
export const serviceOf = (
  text: string,
  name: string,
): { readonly variables: Readonly<Record<string, string>>; readonly command: readonly string[] } => {
  const [, service] = new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)*)`, "m").exec(text) ?? [];
  if (service === undefined) throw new Error(`There is no service "${name}".`);
  const pairs = [...service.matchAll(/^ {6}(STAGEDOOR_[A-Z_]+): "(.*)"$/gm)];
  const [, command = "[]"] = /^ {4}command: (.*)$/m.exec(service) ?? [];
  return {
    variables: Object.fromEntries(pairs.map(([, variable = "", value = ""]) => [variable, value])),
    command: words.parse(JSON.parse(command)),
  };
};

/** @param text of a .dockerignore that ignores everything except a list. @returns that list. */
export const entriesOf = (text: string): string[] => [...text.matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
