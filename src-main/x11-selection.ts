/** One question to the X server, in its own protocol: does anyone own this selection? */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { variable } from "#client/environment.ts";

const TIMEOUT_MS = 2_000;
const COOKIE = "MIT-MAGIC-COOKIE-1";
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** @returns the secret for a display, from the user's file; empty if it needs none. */
const cookieFor = (display: string): Buffer => {
  try {
    const file = readFileSync(variable("XAUTHORITY") ?? join(homedir(), ".Xauthority"));
    let at = 0;
    const next = (): Buffer => {
      const from = at + 2;
      at = from + file.readUInt16BE(at);
      return file.subarray(from, at);
    };
    while (at < file.length) {
      at += 2; // The family of the address, which comes first.
      const [, number, name, data] = [next(), `${next()}`, `${next()}`, next()];
      if (name === COOKIE && (number === "" || number === display)) return data;
    }
  } catch {
    // Not there, or not whole.
  }
  return Buffer.alloc(0);
};

/** @returns a function that resolves with the next bytes of a connection; rejects when it ends. */
const reader = (socket: Socket) => {
  const chunks = socket[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  return async (length: number): Promise<Buffer> => {
    while (rest.length < length) {
      const { done, value } = await chunks.next();
      if (done === true) throw new Error("The X server has closed the connection.");
      rest = Buffer.concat([rest, value]);
    }
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  };
};

/**
 * @param display such as `:0` or `localhost:10.0`. @param nameOf the selection's name, for the number of the screen.
 * @returns whether a client owns the selection; false also if the X server does not respond.
 */
export const isSelectionOwned = async (display: string, nameOf: (screen: string) => string): Promise<boolean> => {
  const [, host = "", number = "0", screen = "0"] = /^(.*):(\d+)(?:\.(\d+))?$/.exec(display) ?? [];
  const isLocal = host === "" || host === "unix";
  const socket = connect(isLocal ? { path: `/tmp/.X11-unix/X${number}` } : { host, port: 6000 + Number(number) });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error("The X server does not respond.")));
  const read = reader(socket);
  try {
    const cookie = cookieFor(number);
    const scheme = Buffer.from(cookie.length === 0 ? "" : COOKIE);
    // Little-endian (l), protocol 11.0.
    const hello = Buffer.from([0x6c, 0, 11, 0, 0, 0, scheme.length, 0, cookie.length, 0, 0, 0]);
    socket.write(Buffer.concat([hello, padded(scheme), padded(cookie)]));
    const head = await read(8);
    await read(4 * head.readUInt16LE(6));
    if (head[0] !== 1) return false;
    const name = Buffer.from(nameOf(screen));
    const units = 2 + padded(name).length / 4;
    // InternAtom, only if it exists.
    socket.write(Buffer.concat([Buffer.from([16, 1, units, 0, name.length, 0, 0, 0]), padded(name)]));
    const atom = (await read(32)).subarray(8, 12);
    if (atom.readUInt32LE() === 0) return false;
    // GetSelectionOwner.
    socket.write(Buffer.concat([Buffer.from([23, 0, 2, 0]), atom]));
    return (await read(32)).readUInt32LE(8) !== 0;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
};
