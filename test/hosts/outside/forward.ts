/** Other ports than those that listen, as Docker's `-p`, `ssh -L` and Codespaces publish them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { until } from "#test/http/control/support.ts";

/** A port of this machine whose connections go on to another address. */
export interface Forwarded {
  stop(): Promise<void>;
}

/** Where it leads. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** @returns whether something listens on a port of this machine. */
export const answers = (port: number, host = "127.0.0.1"): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(true)).on("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Forwards in this process, byte for byte, as `ssh -L` and docker-proxy do. @param at the address to listen on. */
export const forward = async (port: number, to: Address, at = "127.0.0.1"): Promise<Forwarded> => {
  const open = new Set<Socket>();
  const server = createServer((outside) => {
    const inside = connect(to);
    for (const [socket, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      open.add(socket);
      pipeline(socket, other, () => open.delete(socket));
    }
  });
  await once(server.listen(port, at), "listening");
  return {
    stop: async () => {
      const closed = once(server.close(), "close");
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};

/** Forwards with socat, in a process for each connection. */
export const forwardBySocat = async (program: string, port: number, to: Address): Promise<Forwarded> => {
  const listening = `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork`;
  // A group of its own, so that the processes of open connections end with it.
  const child = spawn(program, [listening, `TCP:${to.host}:${to.port}`], { stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  await until(() => answers(port), Boolean);
  return {
    stop: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
};
