/**
 * An in-memory disk whose cache is lost in a power failure. Unsynced changes survive in part: any of the name changes
 * in a directory, and a file's unsynced writes up to some byte, possibly within one, perhaps with NULs from there on.
 * Harsher than real file systems: syncing a file makes no name durable.
 */
import path from "node:path";
import type { FileSystem } from "#store/disk/files.ts";
import type { Chance } from "./chance.ts";
import {
  afterCut,
  copyOf,
  diskError,
  type Move,
  moved,
  type Node,
  newNode,
  type Order,
  type Write,
  written,
} from "./sim-node.ts";

/** The disk. Its paths are under `mount`, which exists from the start. */
export class SimDisk {
  readonly mount: string;
  /** Number of calls so far that write or sync. */
  calls = 0;
  /** Called before each of them. */
  onCall: () => void = () => undefined;
  readonly #root: Node;
  readonly #open = new Map<number, Node>();
  readonly #pause: () => Promise<void>;
  #nextFd = 3;

  /** @param mount an absolute path. @param pause duration of an unawaited sync. @param root the initial content. */
  constructor(mount: string, pause: () => Promise<void>, root = newNode("directory")) {
    this.mount = mount;
    this.#pause = pause;
    this.#root = root;
  }

  /** @returns the disk after a power failure now, under another mount; this one continues unaffected. */
  afterCut(mount: string, pause: () => Promise<void>, order: Order, chance: Chance): SimDisk {
    return new SimDisk(mount, pause, afterCut(this.#root, order, chance));
  }

  /** @returns the disk if the process ended now: no write is lost, nothing is synced. */
  afterKill(mount: string, pause: () => Promise<void>): SimDisk {
    return new SimDisk(mount, pause, copyOf(this.#root));
  }

  /** The bytes of every file, by its path below the mount, for comparisons. */
  contents(): Map<string, string> {
    const found = new Map<string, string>();
    const walk = (node: Node, at: string): void => {
      if (node.kind === "file") found.set(at, node.bytes.toString("latin1"));
      for (const [name, child] of node.names) walk(child, `${at}/${name}`);
    };
    walk(this.#root, "");
    return found;
  }

  /** @param end of its name. @returns whether there is such a file in a folder of the mount. */
  hasFile(end: string): boolean {
    const folders = [...this.#root.names.values()];
    return folders.some(({ names }) => [...names.keys()].some((name) => name.endsWith(end)));
  }

  /** The store's file-system interface. */
  readonly files: FileSystem = {
    makeDir: (at) => {
      let node = this.#root;
      for (const step of this.#steps(at)) {
        const next = node.names.get(step) ?? newNode("directory");
        if (!node.names.has(step)) this.#move(node, [[step, next]]);
        node = next;
      }
    },
    list: (at) => [...this.#find(at).names.keys()],
    stat: (at) => {
      const { kind, mode, bytes, id, changes } = this.#find(at);
      return { kind, mode, size: bytes.length, identity: String(id), modifiedNs: BigInt(changes) };
    },
    realPath: (at) => {
      this.#find(at);
      return at;
    },
    readLink: (at) => {
      throw diskError("EINVAL", at);
    },
    read: (at) => Buffer.from(this.#find(at, "file").bytes),
    create: (at) => {
      const node = newNode("file");
      const parent = this.#parent(at);
      if (parent.names.has(path.basename(at))) throw diskError("EEXIST", at);
      this.#move(parent, [[path.basename(at), node]]);
      return this.#descriptor(node);
    },
    open: (at) => this.#descriptor(this.#find(at, "file")),
    openAtEnd: (at) => this.#descriptor(this.#find(at, "file")),
    openToRead: (at) => this.#descriptor(this.#find(at)),
    write: (fd, bytes, offset, length, position) => this.#write(fd, bytes, offset, length, position),
    writeLater: async (fd, bytes, offset, length, position) => this.#write(fd, bytes, offset, length, position),
    readLater: async (fd, bytes, offset, length, position) =>
      this.#node(fd).bytes.copy(bytes, offset, position, position + length),
    truncate: (fd, size) => this.#change(this.#node(fd), { at: size, bytes: undefined }),
    sync: (fd) => this.#sync(fd),
    syncLater: (fd) => this.#syncLater(fd),
    syncData: (fd) => this.#sync(fd),
    syncDataLater: (fd) => this.#syncLater(fd),
    close: (fd) => void this.#open.delete(fd),
    closeLater: async (fd) => void this.#open.delete(fd),
    rename: (from, to) => {
      const [parent, node] = [this.#parent(from), this.#find(from)];
      if (parent !== this.#parent(to)) throw diskError("EXDEV", to);
      this.#move(parent, [
        [path.basename(to), node],
        [path.basename(from), undefined],
      ]);
    },
    link: (from, to) => {
      const parent = this.#parent(to);
      if (parent.names.has(path.basename(to))) throw diskError("EEXIST", to);
      this.#move(parent, [[path.basename(to), this.#find(from, "file")]]);
    },
    remove: (at) => this.#remove(at),
    removeLater: async (at) => this.#remove(at),
    setMode: (at, mode) => {
      this.#find(at).mode = mode;
    },
    freeBytes: () => Number.MAX_SAFE_INTEGER,
  };

  #steps(at: string): string[] {
    return path.relative(this.mount, at).split(path.sep).filter(Boolean);
  }

  #find(at: string, kind?: Node["kind"]): Node {
    let node: Node | undefined = this.#root;
    for (const step of this.#steps(at)) node = node?.names.get(step);
    if (node === undefined) throw diskError("ENOENT", at);
    if (kind !== undefined && node.kind !== kind) throw diskError("EISDIR", at);
    return node;
  }

  #parent(at: string): Node {
    return this.#find(path.dirname(at), "directory");
  }

  #descriptor(node: Node): number {
    this.#nextFd += 1;
    this.#open.set(this.#nextFd, node);
    return this.#nextFd;
  }

  #node(fd: number): Node {
    const node = this.#open.get(fd);
    if (node === undefined) throw diskError("EBADF", String(fd));
    return node;
  }

  #called(): void {
    this.calls += 1;
    this.onCall();
  }

  #move(directory: Node, move: Move): void {
    this.#called();
    directory.moves.push(move);
    moved(directory.names, move);
  }

  #remove(at: string): void {
    this.#find(at, "file");
    this.#move(this.#parent(at), [[path.basename(at), undefined]]);
  }

  #change(node: Node, write: Write): void {
    this.#called();
    node.writes.push(write);
    node.bytes = written(node.bytes, write);
    node.changes += 1;
  }

  #write(fd: number, bytes: Buffer, offset: number, length: number, position: number): number {
    this.#change(this.#node(fd), { at: position, bytes: Buffer.from(bytes.subarray(offset, offset + length)) });
    return length;
  }

  #sync(fd: number): void {
    this.#called();
    const node = this.#node(fd);
    this.#settled(node, node.writes.length, node.moves.length);
  }

  async #syncLater(fd: number): Promise<void> {
    this.#called();
    const node = this.#node(fd);
    const [lastWrite, lastMove] = [node.writes.at(-1), node.moves.at(-1)];
    await this.#pause();
    // Another sync may have been faster with some of them.
    this.#settled(
      node,
      lastWrite === undefined ? 0 : node.writes.indexOf(lastWrite) + 1,
      lastMove === undefined ? 0 : node.moves.indexOf(lastMove) + 1,
    );
  }

  #settled(node: Node, writes: number, moves: number): void {
    for (const write of node.writes.splice(0, writes)) node.synced = written(node.synced, write);
    for (const move of node.moves.splice(0, moves)) moved(node.syncedNames, move);
  }
}
