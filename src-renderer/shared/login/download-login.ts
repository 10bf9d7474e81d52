import { emulator } from "../../api/emulator.ts";
import { download } from "../../ui/download.ts";

/** Saves the login of a request as one file, secrets masked. `stagedoor open FILE` shows it. */
export const downloadLogin = async ({ id, appId }: { id: string; appId: string | null }): Promise<void> => {
  const bundle = await emulator.requests.bundle(id);
  const name = `login-${appId ?? "unknown"}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.json`;
  download(name, `${JSON.stringify(bundle, null, 2)}\n`);
};
