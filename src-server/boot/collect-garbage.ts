/**
 * Frees the memory used for reading large fixtures: V8 would keep it until something else is allocated (100,000
 * profiles: 211 MB resident instead of 186 MB on Node 20, 172 MB on Node 24).
 */
export const collectGarbage = async (): Promise<void> => {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import("node:v8"), import("node:vm")]);
  // Only a new context sees the flag; that of the program never has the function.
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect !== "function") return;
  // Pages return to the system at the second one on Node 20, and only as a last resort on newer ones.
  collect();
  collect();
  collect({ type: "major", flavor: "last-resort" });
};
