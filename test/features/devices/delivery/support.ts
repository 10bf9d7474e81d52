/** Helpers for delivery tests: a server whose PATH is a directory of stand-ins, and apps that have opted in. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createPrograms } from "#features/devices/delivery/programs.ts";
import type { RunningServer } from "#server/server.ts";
import { type Clients, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freshPhone, until } from "#test/http/control/support.ts";
import { makeStandIns, type NotedCall, type StandIns } from "#test/support/device-stand-ins.ts";

/** A device as the control API returns it. */
interface Device {
  readonly kind: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly status: string;
  readonly detail: string;
}

/** The app of one test. */
interface DeliveryApp {
  readonly appId: string;
  /** Requests a code, as a client would. @returns its id. */
  send(): Promise<string>;
  /** Requests a code and waits until that many device rows exist. */
  delivered(rows?: number): Promise<{ readonly code: string; readonly message: string; readonly devices: Device[] }>;
}

/** @see deliveryStage */
export interface DeliveryHarness extends Clients {
  readonly server: RunningServer;
  readonly standIns: StandIns;
  /** What the server has logged for people. */
  readonly said: string[];
  /** Creates an app with these settings. */
  app(settings: object, fields?: object): Promise<DeliveryApp>;
  /** The stand-ins' calls so far, without their process ids. */
  told(): Promise<{ program: string; args: readonly string[]; input: string }[]>;
  devicesOf(passcodeId: string): Promise<Device[]>;
  /** Waits until a matching call is recorded. */
  called(fits: (call: NotedCall) => boolean): Promise<NotedCall>;
}

/** Far more than a stand-in needs, even on a busy machine. */
const PATIENT_MS = 60_000;

/** @param timeoutMs limit for a program. @returns a server for this test file; each test starts without programs. */
export const deliveryHarness = (timeoutMs = PATIENT_MS): DeliveryHarness => {
  let server: RunningServer | undefined;
  let standIns: StandIns | undefined;
  const said: string[] = [];
  const running = (): RunningServer => {
    if (server === undefined) throw new Error("the server is not started yet");
    return server;
  };
  const programs = (): StandIns => {
    if (standIns === undefined) throw new Error("there are no stand-ins yet");
    return standIns;
  };
  beforeAll(async () => {
    standIns = await makeStandIns();
    server = await startInProcess({
      log: (line) => said.push(line),
      programs: createPrograms({ timeoutMs, env: { PATH: standIns.dir } }),
    });
  });
  beforeEach(async () => {
    await Promise.all([programs().without("adb"), programs().without("xcrun"), programs().forget()]);
    said.length = 0;
  });
  afterAll(async () => {
    await server?.close();
    await standIns?.remove();
  });
  const clients = clientsOf(running);
  const passcode = async (id: string) => (await clients.control("GET", `/passcodes/${id}`)).json;

  return {
    ...clients,
    said,
    get server() {
      return running();
    },
    get standIns() {
      return programs();
    },
    app: async (settings, fields = {}) => {
      const made = await clients.control("POST", "/apps", { settings, ...fields });
      if (made.status !== 201) throw new Error(`no app was made: ${made.status} ${made.text}`);
      const { appId, strategy } = made.json;
      const phone = freshPhone();
      const user = strategy === "email" ? { email: `${phone.slice(1)}@example.com` } : { phone };
      await clients.control("POST", "/profiles", { appId, ...user });
      const send = async (): Promise<string> => {
        const sent = await clients.auth("POST", "/v1/users/session", { appId, user });
        if (sent.status !== 202) throw new Error(`no code was sent: ${sent.status} ${sent.text}`);
        return (await clients.control("GET", `/passcodes?appId=${appId}&limit=1`)).json.items[0].id;
      };
      return {
        appId,
        send,
        delivered: async (rows = 1) => {
          const id = await send();
          return await until(
            () => passcode(id),
            ({ devices }) => devices.length >= rows,
            10_000,
          );
        },
      };
    },
    told: async () => (await programs().calls()).map(({ program, args, input }) => ({ program, args, input })),
    devicesOf: async (id) => (await passcode(id)).devices,
    called: async (fits) => {
      const found = await until(
        async () => (await programs().calls()).find(fits),
        (call) => call !== undefined,
        10_000,
      );
      if (found === undefined) throw new Error("no such call");
      return found;
    },
  };
};

/** @returns whether a process is running. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
