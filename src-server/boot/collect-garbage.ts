/**
 * Gives back the memory that reading large fixtures took: V8 would keep it until something else is allocated
 * (100,000 profiles: 255 MB resident instead of 115 MB).
 */
export const collectGarbage = async (): Promise<void> => {
  try {
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    await session.post("HeapProfiler.collectGarbage");
    session.disconnect();
  } catch {
    // Node may have been built without the inspector.
  }
};
