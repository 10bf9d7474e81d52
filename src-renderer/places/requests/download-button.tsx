import type { RequestRow } from "#client/index.ts";
import { emulator } from "../../api/emulator.ts";
import { ActionButton } from "../../ui/action.tsx";
import { download } from "../../ui/download.ts";

/** Saves the login of a request as one file. */
export const DownloadButton = ({ row }: { readonly row: RequestRow }) => (
  <span title="Saves this login as one file, secrets masked. View it with stagedoor open FILE">
    <ActionButton
      label="Download"
      act={async () => {
        const bundle = await emulator.requests.bundle(row.id);
        const name = `login-${row.appId ?? "unknown"}-${row.at.slice(0, 19).replaceAll(":", "")}.json`;
        download(name, `${JSON.stringify(bundle, null, 2)}\n`);
      }}
    />
  </span>
);
