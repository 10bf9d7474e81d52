/** `stagedoor snapshot save|restore|list|diff|delete`. */
import type { SnapshotDiff } from "#client/records.ts";
import { frozen } from "#contract/frozen.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, wrongUsage } from "#server/plumbing/io.ts";

const KINDS = frozen(["apps", "profiles", "passcodes", "sessions", "connections"] as const);

const idOf = (record: object): string => {
  const id = "id" in record ? record.id : "userId" in record ? record.userId : "appId" in record ? record.appId : "";
  return String(id);
};

const diffLines = ({ counts, added, removed, changed }: SnapshotDiff): string[] => {
  const lines = KINDS.flatMap((kind) => {
    const line = (mark: string, record: object): string => `${mark} ${kind.replace(/s$/, "")} ${idOf(record)}`;
    return [
      ...added[kind].map((record) => line("+", record)),
      ...removed[kind].map((record) => line("-", record)),
      ...changed[kind].map(({ after }) => line("~", after)),
    ];
  });
  // The global clock has no id.
  for (const { appId } of changed.clocks) lines.push(appId === null ? "~ clock" : `~ clock of ${appId}`);
  const rest = counts.added + counts.removed + counts.changed - lines.length;
  return rest > 0 ? [...lines, `… and ${rest} more`] : lines;
};

/**
 * Saves, restores, compares, deletes or lists snapshots.
 * @param named the snapshot; absent for `list`. @returns 0. @throws CommandError if it does not exist.
 */
export const snapshot = async (
  io: Io,
  action: "save" | "restore" | "list" | "diff" | "delete",
  named: string | undefined,
  options: ClientOptions,
): Promise<number> => {
  if (named === undefined && action !== "list") throw wrongUsage(`Name the snapshot: snapshot ${action} NAME.`);
  const name = named ?? "";
  const of = { appId: options.app };
  const say = (answer: unknown, lines: readonly string[]): number => print(io, options.json, answer, lines);
  return await withEmulator(options, async ({ snapshots }) => {
    switch (action) {
      case "list": {
        const { items, total } = await snapshots.list(of);
        const lines = items.map((item) => [item.name, item.appId ?? "all apps", item.createdAt, item.counts.profiles]);
        return say(
          { items, total },
          lines.map((words) => `${words.join("  ")} profiles`),
        );
      }
      case "save": {
        const saved = await snapshots.save(name, of);
        return say(saved, [`Saved ${saved.name}.`]);
      }
      case "restore": {
        const restored = await snapshots.restore(name, of);
        return say(restored, [`Restored ${restored.name}: ${restored.changes} changes.`]);
      }
      case "diff": {
        const diff = await snapshots.diff(name, of);
        return say(diff, diffLines(diff));
      }
      case "delete":
        await snapshots.delete(name, of);
        return say({ deleted: name }, [`Deleted ${name}.`]);
    }
  });
};
