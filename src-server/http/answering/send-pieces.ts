/** Sends a long text as fast as it is read: in pieces, with little waiting for the client, and others in between. */
import { setImmediate as pause } from "node:timers/promises";
import type { Response } from "express";
import { BOUNDS } from "#contract/bounds.ts";

const PIECE = 65_536;

/** Waits until a response can be written to again; closes its connection if the client reads nothing. */
const drained = (res: Response): Promise<void> =>
  new Promise((resolve) => {
    if (res.destroyed) return resolve();
    const timer = setTimeout(() => res.socket?.destroy(), BOUNDS.heavyStallMs.most).unref();
    const end = (): void => {
      clearTimeout(timer);
      res.off("drain", end).off("close", end);
      resolve();
    };
    res.on("drain", end).on("close", end);
  });

/** @param whole sends a short text. @param begin sends the head of a long one. @returns the beginning of a long one. */
export const sendPieces = async (
  res: Response,
  pieces: Iterable<string>,
  { whole, begin }: { readonly whole: (text: string) => void; readonly begin: () => void },
): Promise<Buffer | undefined> => {
  let text = "";
  let first: Buffer | undefined;
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    const bytes = Buffer.from(text);
    text = "";
    if (first === undefined) begin();
    first ??= bytes;
    res.write(bytes);
    await (res.writableLength > BOUNDS.waitingBytes.most ? drained(res) : pause());
  }
  if (first === undefined) whole(text);
  else res.end(text);
  return first;
};
