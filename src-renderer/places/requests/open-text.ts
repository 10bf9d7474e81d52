/** Opens what other Stagedoors have saved, when it is dropped or pasted: an exploration, or a login. */
import { isExplorationText } from "#contract/documents/explorations.ts";
import type { Address } from "../../ui/address.ts";

const LOGIN = /^\s*\{\s*"kind":\s*"stagedoor-login"/;

/** @param go to the page that shows it. @returns whether the text was one of these. @throws Error if it is damaged. */
export const openText = async (
  text: string,
  name: string | null,
  go: (change: Partial<Address>) => void,
): Promise<boolean> => {
  if (isExplorationText(text)) {
    (await import("./exploration.ts")).takeExploration(text, name);
    go({ screen: "requests/exploration", show: null, id: null, q: "" });
    return true;
  }
  if (!LOGIN.test(text)) return false;
  const [{ readLogin }, { openLoginFilm }] = await Promise.all([
    import("../../shared/login/read-login.ts"),
    import("../../shared/login/login-film.tsx"),
  ]);
  const login = readLogin(text);
  if (login === undefined) throw new Error(`${name ?? "The text"} is not a whole downloaded login. Download it again.`);
  openLoginFilm(login);
  return true;
};
