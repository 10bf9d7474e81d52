/** Files and directories of the simulated disk, and what a power failure leaves of them. */
import type { Chance } from "./chance.ts";

/** A file or directory: what is on the disk, and the pending changes. */
export interface Node {
  readonly id: number;
  /** How often its bytes have changed. */
  changes: number;
  readonly kind: "file" | "directory";
  mode: number;
  /** Of a file, as seen by readers. */
  bytes: Buffer;
  synced: Buffer;
  writes: Write[];
  /** Of a directory, as seen by readers. */
  names: Map<string, Node>;
  syncedNames: Map<string, Node>;
  moves: Move[];
}

/** Bytes at a position, or (without bytes) a new size. */
export interface Write {
  readonly at: number;
  readonly bytes: Buffer | undefined;
}

/** Name changes that are one step. */
export type Move = readonly (readonly [name: string, node: Node | undefined])[];

/** In which order unsynced writes of a file reach the disk: as made, or any. */
export type Order = "in order" | "any order";

let ids = 0;
const nextId = (): number => {
  ids += 1;
  return ids;
};

/** @returns an empty file or directory, or a file with these bytes, synced. */
export const newNode = (kind: Node["kind"], bytes: Buffer = Buffer.alloc(0)): Node => ({
  ...{ id: nextId(), changes: 0 },
  ...{ kind, mode: kind === "file" ? 0o600 : 0o700, bytes, synced: bytes, writes: [] },
  ...{ names: new Map(), syncedNames: new Map(), moves: [] },
});

/** @returns an error like those of file-system calls. */
export const diskError = (code: string, what: string): Error =>
  Object.assign(new Error(`${code}: ${what}`), { code, syscall: "simulated" });

/** @returns the bytes of a file after a write. */
export const written = (bytes: Buffer, { at, bytes: more }: Write): Buffer => {
  if (more === undefined) return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(Math.max(0, at - bytes.length))]);
  const next = Buffer.alloc(Math.max(bytes.length, at + more.length));
  bytes.copy(next);
  more.copy(next, at);
  return next;
};

/** Changes the names of a directory. */
export const moved = (names: Map<string, Node>, move: Move): void => {
  for (const [name, node] of move) {
    if (node === undefined) names.delete(name);
    else names.set(name, node);
  }
};

/** @returns what is left of a file. */
const fileAfterCut = (node: Node, order: Order, chance: Chance): Node => {
  let bytes = node.synced;
  const torn = (write: Write): Write =>
    write.bytes === undefined
      ? write
      : { ...write, bytes: write.bytes.subarray(0, chance.below(write.bytes.length + 1)) };
  if (order === "any order") {
    for (const write of node.writes) if (chance.is(0.6)) bytes = written(bytes, chance.is(0.2) ? torn(write) : write);
  } else {
    const whole = chance.is(0.2) ? 0 : chance.below(node.writes.length + 1);
    for (const write of node.writes.slice(0, whole)) bytes = written(bytes, write);
    const next = node.writes[whole];
    if (next !== undefined && chance.is(0.7)) bytes = written(bytes, torn(next));
    // The size was written first, the data never.
    if (node.bytes.length > bytes.length && chance.is(0.2)) {
      bytes = Buffer.concat([bytes, Buffer.alloc(chance.below(node.bytes.length - bytes.length) + 1)]);
    }
  }
  return { ...newNode("file", bytes), mode: node.mode };
};

/** @returns what a power failure leaves of a file, or of a directory with its content. @param known earlier results. */
export const afterCut = (node: Node, order: Order, chance: Chance, known = new Map<Node, Node>()): Node => {
  const before = known.get(node);
  if (before !== undefined) return before;
  if (node.kind === "file") {
    const file = fileAfterCut(node, order, chance);
    known.set(node, file);
    return file;
  }
  const names = new Map(node.syncedNames);
  const share = chance.pick([0, 0.5, 0.5, 1]);
  for (const move of node.moves) if (chance.is(share)) moved(names, move);
  const directory = newNode("directory");
  for (const [name, child] of names) directory.names.set(name, afterCut(child, order, chance, known));
  directory.syncedNames = new Map(directory.names);
  return directory;
};

/** @returns a copy of a file, or of a directory with its content. @param known copies of earlier nodes. */
export const copyOf = (node: Node, known = new Map<Node, Node>()): Node => {
  const before = known.get(node);
  if (before !== undefined) return before;
  const copy: Node = { ...node, writes: [...node.writes] };
  known.set(node, copy);
  const copies = (names: Map<string, Node>) => new Map([...names].map(([name, child]) => [name, copyOf(child, known)]));
  copy.names = copies(node.names);
  copy.syncedNames = copies(node.syncedNames);
  copy.moves = node.moves.map((move) =>
    move.map(([name, child]) => [name, child === undefined ? child : copyOf(child, known)] as const),
  );
  return copy;
};
