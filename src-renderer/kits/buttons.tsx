import type { OfSession } from "./manifest.ts";
import { BackendButton } from "./token-check/backend-button.tsx";

/** What kits do with a session: one line for each. */
// biome-ignore format: one line a kit
export const SessionButtons = (of: OfSession) => (
  <>
    <BackendButton {...of} />
  </>
);
