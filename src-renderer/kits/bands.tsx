import { FirstMetBand } from "./coverage/first-met-band.tsx";

/** What kits say above the newest code: one line for each. */
// biome-ignore format: one line a kit
export const InboxBands = () => (
  <>
    <FirstMetBand />
  </>
);
