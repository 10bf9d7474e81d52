import type { Session } from "#client/index.ts";
import { TextButton } from "../../ui/action.tsx";
import { openBackendTest } from "./backend-dialog.tsx";

interface OfSession {
  readonly session: Session;
  /** The session has ended. */
  readonly disabled: boolean;
}

/** Opens the test of a backend with tokens of a session. */
export const BackendButton = ({ session, disabled }: OfSession) => (
  <TextButton disabled={disabled} onClick={() => openBackendTest(session)} label="Test my backend…" />
);
