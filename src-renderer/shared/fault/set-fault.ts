import { create } from "zustand";
import type { Fault, FaultInput } from "#client/index.ts";
import { emulator, unlessGone } from "../../api/emulator.ts";
import { applyEvents } from "../../api/live.ts";

/** What the form of a fault starts with when it is opened for a request; undefined: as usual. */
export const useWish = create((): { readonly fault: FaultInput | undefined } => ({ fault: undefined }));

/** Adds a fault after the existing ones. */
export const addFault = async (input: FaultInput): Promise<Fault> => {
  const item = await emulator.faults.add(input);
  applyEvents([{ type: "fault.put", appId: null, seq: 0, item }]);
  return item;
};

/** Deletes a fault; does nothing if it is already gone. */
export const removeFault = async (id: string): Promise<void> => {
  await unlessGone(emulator.faults.remove(id));
  applyEvents([{ type: "fault.remove", appId: null, seq: 0, item: { id } }]);
};
