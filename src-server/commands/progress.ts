/** Shows on a terminal that something takes long. */
import type { Io } from "#server/plumbing/io.ts";

/** Shows what is going on, and for how many seconds, from the first second on. @returns a function that ends it. */
export const showProgress = (io: Pick<Io, "progress">, what: string): (() => void) => {
  let seconds = 0;
  const timer = setInterval(() => io.progress(`${what} … ${++seconds} s`), 1_000);
  return () => {
    clearInterval(timer);
    io.progress("");
  };
};
