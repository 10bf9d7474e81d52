/**
 * How many workers there are, what each does, and where they meet; by the environment, for those who measure.
 */
const count = (text: string | undefined, otherwise: number): number => {
  const found = Number.parseInt(text ?? "", 10);
  return found > 0 ? found : otherwise;
};

/** How many workers run at a time. */
export const WORKERS = count(process.env["FRONT_ROW_WORKERS"], 4);
/** How often each of them logs in by its page, and again without one. */
export const LOGINS = count(process.env["FRONT_ROW_LOGINS"], 1);
/** An app that is there before the workers are; each leaves a profile in it, which says that it has come. */
export const LOBBY = "lobby";
/** The folder of the built page. */
export const PAGES = process.env["FRONT_ROW_PAGES"] ?? "";
