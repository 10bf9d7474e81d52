/** `stagedoor snapshot save|restore|list|delete`. */
import { type ClientOptions, whereWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, wrongUsage } from "#server/plumbing/io.ts";

/** @param named the snapshot; absent for `list`. @returns 0. @throws CommandError if it does not exist. */
export const snapshot = async (
  io: Io,
  action: "save" | "restore" | "list" | "delete",
  named: string | undefined,
  options: ClientOptions,
): Promise<number> => {
  if (named === undefined && action !== "list") throw wrongUsage(`Name the snapshot: snapshot ${action} NAME.`);
  const name = named ?? "";
  const of = { appId: options.app };
  const say = (answer: unknown, lines: readonly string[]): number => print(io, options.json, answer, lines);
  return await withEmulator(options, async (client) => {
    const { snapshots } = client;

    switch (action) {
      case "list": {
        const { items, total } = await snapshots.list(of);
        const lines = items.map(({ name: saved, appId, createdAt, counts }) =>
          [saved, appId ?? "all apps", createdAt, `${counts.profiles} profiles`].join("  "),
        );
        return say({ items, total }, lines);
      }
      case "save": {
        const saved = await snapshots.save(name, of);
        return say(saved, [`Saved ${saved.name}.`]);
      }
      case "restore": {
        const restored = await snapshots.restore(name, of);
        return say(restored, [`Restored ${restored.name}: ${restored.changes} changes (${await whereWords(client)}).`]);
      }
      case "delete":
        await snapshots.delete(name, of);
        return say({ deleted: name }, [`Deleted ${name} (${await whereWords(client)}).`]);
    }
  });
};
