import { TextButton } from "../../ui/action.tsx";
import type { OfSession } from "../manifest.ts";
import { openBackendTest } from "./backend-dialog.tsx";

/** Opens the test of a backend with tokens of a session. */
export const BackendButton = ({ session, disabled }: OfSession) => (
  <TextButton disabled={disabled} onClick={() => openBackendTest(session)} label="Test my backend…" />
);
