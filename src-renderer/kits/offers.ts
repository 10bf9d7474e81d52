/** Who shows a way back: one line for each kit. */
import type { Offer } from "./manifest.ts";
import { offerBack } from "./rewind/undo-band.tsx";

// biome-ignore format: one line a kit
const TAKERS: readonly ((offer: Offer) => Promise<void>)[] = [
  offerBack,
];

/** Offers a way back from what the timeline does not hold. */
export const offerUndo = async (offer: Offer): Promise<void> => {
  for (const take of TAKERS) await take(offer);
};
