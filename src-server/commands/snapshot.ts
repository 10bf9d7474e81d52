/** `stagedoor snapshot save|restore|list|diff|delete` (CONTRACT 6, snapshots). */
import type { Client } from "#client/client.ts";
import type { SnapshotDiff } from "#client/records.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Io, print, printable, wrongUsage } from "./io.ts";

/** @see snapshot */
export interface SnapshotOptions extends Whereabouts {
  /** Only this app. */
  readonly app?: string | undefined;
  /** Prints the response of the control API as one line of JSON. */
  readonly json?: boolean | undefined;
}

/** The actions of the command. */
export const SNAPSHOT_ACTIONS = ["save", "restore", "list", "diff", "delete"] as const;
type Action = (typeof SNAPSHOT_ACTIONS)[number];

const isAction = (text: string): text is Action => SNAPSHOT_ACTIONS.some((action) => action === text);
const KINDS = ["apps", "profiles", "passcodes", "sessions", "connections"] as const;

/** @returns the id of a record: `userId` for a profile, `appId` for an app. */
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
 * @param name of the snapshot; absent for `list`. @returns 0. @throws CommandError if it does not exist.
 */
export const snapshot = async (
  action: string,
  name: string | undefined,
  options: SnapshotOptions,
  io: Io,
): Promise<number> => {
  if (!isAction(action))
    throw wrongUsage(`Unknown action "${printable(action)}". Actions: ${SNAPSHOT_ACTIONS.join(", ")}.`);
  if (name === undefined && action !== "list") throw wrongUsage(`Name the snapshot: snapshot ${action} NAME.`);
  const of = { appId: options.app };
  const ask = <T>(use: (snapshots: Client["snapshots"], name: string) => Promise<T>): Promise<T> =>
    withEmulator(options, ({ snapshots }) => use(snapshots, name ?? ""));
  const say = (answer: unknown, lines: readonly string[]): number => print(io, options.json, answer, lines);
  switch (action) {
    case "list": {
      const { items, total } = await ask((snapshots) => snapshots.list(of));
      return say(
        { items, total },
        items.map(
          (item) => `${item.name}  ${item.appId ?? "all apps"}  ${item.createdAt}  ${item.counts.profiles} profiles`,
        ),
      );
    }
    case "save": {
      const saved = await ask((snapshots, called) => snapshots.save(called, of));
      return say(saved, [`Saved ${saved.name}.`]);
    }
    case "restore": {
      const restored = await ask((snapshots, called) => snapshots.restore(called, of));
      return say(restored, [`Restored ${restored.name}: ${restored.changes} changes.`]);
    }
    case "diff": {
      const diff = await ask((snapshots, called) => snapshots.diff(called, of));
      return say(diff, diffLines(diff));
    }
    case "delete":
      await ask((snapshots, called) => snapshots.delete(called, of));
      return say({ deleted: name }, [`Deleted ${name}.`]);
  }
};
