/**
 * A server in this process: on free ports, in memory unless told otherwise, with a clock and chance that the test holds.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoginBundle } from "#contract/bundles.ts";
import type { Programs } from "#delivery/programs.ts";
import type { MachineAddress } from "#server/boot/addresses.ts";
import { createRandom } from "#server/boot/random.ts";
import type { Lookup } from "#server/boot/reach.ts";
import type { Config } from "#server/config.ts";
import { createServer, type RunningServer } from "#server/server.ts";
import type { FileSystem } from "#store/disk/files.ts";

/** What a test may change. */
export interface Settings {
  readonly config?: Partial<Config>;
  /** Real time, milliseconds since 1970; absent: the machine's. */
  readonly now?: () => number;
  /** Milliseconds of a clock that never goes back; absent: the machine's. */
  readonly monotonic?: () => number;
  /** The file system that keeps the data; absent: the machine's. */
  readonly files?: FileSystem;
  readonly log?: (line: string) => void;
  /** Runs the programs that deliver to devices; absent: none is run. */
  readonly programs?: Programs;
  /** Called by POST stop; absent: it is refused. */
  readonly stop?: () => void;
  /** Requests and faults of another Stagedoor, to be shown. */
  readonly seen?: LoginBundle;
  /** The addresses of the machine; absent: as they are. */
  readonly addresses?: () => readonly MachineAddress[];
  /** Resolves names; absent: as the system does. */
  readonly lookup?: Lookup;
}

const CONFIG: Config = {
  dataDir: "",
  fixtures: [],
  watch: false,
  reset: false,
  adminPort: 0,
  authPort: 0,
  consolePort: 0,
  lan: false,
  tls: false,
  authTlsPort: 0,
  caDir: join(tmpdir(), "stagedoor-test-ca"),
  checkHosts: [],
  signingKey: null,
  adminHost: null,
  consoleHost: null,
  accessToken: null,
  joinToken: null,
  allowHosts: [],
  durability: "memory",
  json: false,
  open: false,
  headless: true,
  bodyLimitBytes: 1_048_576,
  retention: { passcodes: 1_000, sessions: 50_000, requests: 1_000 },
};

/** A test that happens to opt in must not reach an emulator of whoever runs it. */
const NO_PROGRAMS: Programs = {
  run: async () => ({ how: "not started", why: "this test runs no programs" }),
  stop: () => undefined,
};

/** Starts a server; each answer is checked against its schema. The test closes it. */
export const startInProcess = ({
  config = {},
  now,
  monotonic,
  files,
  log = () => undefined,
  programs,
  stop,
  addresses,
  lookup,
  seen,
}: Settings = {}): Promise<RunningServer> =>
  createServer(
    { ...CONFIG, ...config },
    {
      log,
      version: "0.0.0-test",
      random: createRandom(),
      checkAnswers: true,
      programs: programs ?? NO_PROGRAMS,
      ...(stop === undefined ? {} : { stop }),
      ...(now === undefined ? {} : { realNow: now }),
      ...(monotonic === undefined ? {} : { monotonic }),
      ...(files === undefined ? {} : { files }),
      ...(addresses === undefined ? {} : { addresses }),
      ...(lookup === undefined ? {} : { lookup }),
      ...(seen === undefined ? {} : { seen }),
    },
  );
