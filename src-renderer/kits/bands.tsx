import { FirstMetBand } from "./coverage/first-met-band.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfFrame, OfInbox } from "./manifest.ts";
import { UndoStrip } from "./rewind/undo-band.tsx";
import { StageLink } from "./stage/stage-link.tsx";

/** What kits say above every screen: one line for each. */
// biome-ignore format: one line a kit
export const FrameBands = inARow<OfFrame>([
  UndoStrip,
]);

/** What kits say above the newest code: one line for each. */
// biome-ignore format: one line a kit
export const InboxBands = () => (
  <>
    <FirstMetBand />
  </>
);

/** What kits offer while there is no code yet: one line for each. */
// biome-ignore format: one line a kit
export const FirstLinks = inARow<OfInbox>([
  StageLink,
]);
