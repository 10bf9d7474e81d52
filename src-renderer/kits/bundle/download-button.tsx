import { emulator } from "../../api/emulator.ts";
import { ActionButton } from "../../ui/action.tsx";
import { download } from "../../ui/download.ts";
import type { OfRequest } from "../manifest.ts";

/** Saves the login of a request as one file. */
export const DownloadButton = ({ row }: OfRequest) => (
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
