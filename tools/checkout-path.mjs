/**
 * Ends the program if the checkout lies where Vite cannot build: it takes `#` and `?` in a path for the end of it.
 * Whoever builds imports this before Vite, whose own error is a stack.
 */
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("..", import.meta.url));
const [character] = /[#?]/.exec(path) ?? [];
if (character !== undefined) {
  console.error(`Stagedoor cannot be built in ${path}: rename the folder that has "${character}" in its name.`);
  process.exit(1);
}
