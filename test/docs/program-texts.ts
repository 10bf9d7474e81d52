/** The English texts of the program: what its sources show to people. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "vite";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const ROOMS = ["src-client", "src-demo", "src-main", "src-programs", "src-renderer", "src-server"] as const;
/** Words of other languages. */
const FOREIGN = /[\\/](?:texts|words)[\\/](?!en\.)[a-z]{2}\.ts$/;
/** Styles and scripts are no prose. */
const CODE = /^\s*(?::root|\(\(\)|\(\) =>|@media)/;
/** Words begin with a capital, or there are two. */
const PROSE = /[A-Za-z]+ [A-Za-z]|^[A-Z][a-z]/;

/** A text with `…` for what is inserted, its spaces single. `file`: relative to the checkout, with `/`. */
interface ProgramText {
  readonly file: string;
  readonly text: string;
}

/** @returns each string, template and JSX text of the sources that has two words, or begins with a capital. */
export const programTexts = (): readonly ProgramText[] =>
  ROOMS.flatMap((room) =>
    readdirSync(`${CHECKOUT}/${room}`, { recursive: true, encoding: "utf8" }).map((file) => `${room}/${file}`),
  )
    .filter((file) => /\.tsx?$/.test(file) && !FOREIGN.test(file))
    .flatMap((file) => {
      const found: string[] = [];
      const visitor = new Visitor({
        Literal: ({ value }) => void (typeof value === "string" && found.push(value)),
        TemplateLiteral: ({ quasis }) => void found.push(quasis.map(({ value }) => value.cooked).join("…")),
        // Lists of facts have their labels as keys.
        Property: ({ key }) => void (key.type === "Identifier" && file.endsWith("x") && found.push(key.name)),
        JSXText: ({ value }) => void found.push(value),
      });
      visitor.visit(parseSync(file, readFileSync(`${CHECKOUT}/${file}`, "utf8")).program);
      return found
        .filter((text) => PROSE.test(text) && !CODE.test(text))
        .map((text) => ({ file: file.replaceAll("\\", "/"), text: text.replaceAll(/\s+/g, " ") }));
    });
