/**
 * Ends the program if the checkout lies where Vite cannot build: it takes `#` and `?` in a path for the end of it.
 * Whoever builds imports this before Vite, whose own error is a stack.
 */
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("..", import.meta.url));

/** Ends the program if the checkout's path has one of these characters. @param {RegExp} characters @param {string} done */
export const refusePath = (characters, done) => {
  const [character] = characters.exec(path) ?? [];
  if (character === undefined) return;
  console.error(`Stagedoor cannot be ${done} in ${path}: rename the folder that has "${character}" in its name.`);
  process.exit(1);
};

refusePath(/[#?]/, "built");
