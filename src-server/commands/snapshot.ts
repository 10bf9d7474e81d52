/**
 * `stagedoor snapshot save|restore|list|diff|delete`: moments to go back to (CONTRACT 6, snapshots).
 */
import { z } from "zod";
import { restoreAnswer, snapshotDiff, snapshotItem } from "#contract/snapshots.ts";
import { accepted, acceptedJson, ask, findEmulator, type Whereabouts } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";

/** @see snapshot */
export interface SnapshotOptions extends Whereabouts {
  /** Of this app alone. */
  readonly app?: string | undefined;
  /** Prints what the control API answers, as one line of JSON. */
  readonly json?: boolean | undefined;
}

/** What can be done with snapshots. */
export const SNAPSHOT_ACTIONS = ["save", "restore", "list", "diff", "delete"] as const;
type Action = (typeof SNAPSHOT_ACTIONS)[number];

const isAction = (text: string): text is Action => SNAPSHOT_ACTIONS.some((action) => action === text);
const KINDS = ["apps", "profiles", "passcodes", "sessions", "connections"] as const;
type Diff = z.output<typeof snapshotDiff>;

/** What a record goes by: the id of a profile is its `userId`, of an app its `appId`. */
const idOf = (record: object): string => {
  const id = "id" in record ? record.id : "userId" in record ? record.userId : "appId" in record ? record.appId : "";
  return String(id);
};

const diffLines = ({ counts, added, removed, changed }: Diff): string[] => {
  const lines = KINDS.flatMap((kind) => {
    const line = (mark: string, record: object): string => `${mark} ${kind.replace(/s$/, "")} ${idOf(record)}`;
    return [
      ...added[kind].map((record) => line("+", record)),
      ...removed[kind].map((record) => line("-", record)),
      ...changed[kind].map(({ after }) => line("~", after)),
    ];
  });
  // The clock of all has no id.
  for (const { appId } of changed.clocks) lines.push(appId === null ? "~ clock" : `~ clock of ${appId}`);
  const rest = counts.added + counts.removed + counts.changed - lines.length;
  return rest > 0 ? [...lines, `… and ${rest} more`] : lines;
};

/**
 * Saves, restores, compares with, or forgets a snapshot; or lists them.
 * @param name of the snapshot; none for `list`. @returns 0. @throws CommandError if there is none of that name.
 */
export const snapshot = async (
  action: string,
  name: string | undefined,
  options: SnapshotOptions,
  io: Io,
): Promise<number> => {
  if (!isAction(action))
    throw new CommandError(`Say one of ${SNAPSHOT_ACTIONS.join(", ")}, not "${printable(action)}".`);
  if (name === undefined && action !== "list") throw new CommandError(`Which snapshot? Say snapshot ${action} NAME.`);
  const emulator = await findEmulator(options);
  const path = `snapshots/${encodeURIComponent(name ?? "")}`;
  const query = { appId: options.app };
  const print = (answer: unknown, lines: readonly string[]): number => {
    if (options.json === true) io.out(`${JSON.stringify(answer)}\n`);
    else for (const line of lines) io.out(`${printable(line)}\n`);
    return 0;
  };
  switch (action) {
    case "list": {
      const shape = z.object({ items: z.array(snapshotItem), total: z.int() });
      const { items, total } = acceptedJson(await ask(emulator, "GET", "snapshots", { query }), shape);
      return print(
        { items, total },
        items.map(
          (item) => `${item.name}  ${item.appId ?? "all apps"}  ${item.createdAt}  ${item.counts.profiles} profiles`,
        ),
      );
    }
    case "save": {
      const saved = acceptedJson(await ask(emulator, "PUT", path, { query }), snapshotItem);
      return print(saved, [`Saved ${saved.name}.`]);
    }
    case "restore": {
      const restored = acceptedJson(await ask(emulator, "POST", `${path}/restore`, { query }), restoreAnswer);
      return print(restored, [`Restored ${restored.name}: ${restored.changes} changes.`]);
    }
    case "diff": {
      const diff = acceptedJson(await ask(emulator, "GET", `${path}/diff`, { query }), snapshotDiff);
      return print(diff, diffLines(diff));
    }
    case "delete":
      accepted(await ask(emulator, "DELETE", path, { query }));
      return print({ deleted: name }, [`Deleted ${name}.`]);
  }
};
