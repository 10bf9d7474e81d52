/**
 * Frees the memory used for reading large fixtures: V8 would keep it until something else is allocated (100,000
 * profiles: 255 MB resident instead of 115 MB).
 */
export const collectGarbage = async (): Promise<void> => {
  try {
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    await session.post("HeapProfiler.collectGarbage");
    session.disconnect();
  } catch {
    // Node can be built without the inspector.
  }
};
