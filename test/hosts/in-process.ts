/** A server in this process: on free ports, in memory unless told otherwise, with controlled time and randomness. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Maxima } from "#contract/bounds.ts";
import type { Programs } from "#http/ports.ts";
import type { MachineAddress } from "#server/boot/addresses.ts";
import { createRandom } from "#server/boot/random.ts";
import type { Lookup } from "#server/boot/url-check.ts";
import type { Config } from "#server/config.ts";
import { createServer, type RunningServer, type ServerHost } from "#server/server.ts";
import type { FileSystem } from "#store/disk/files.ts";

/** What a test can override. */
export interface Settings {
  readonly config?: Partial<Config>;
  /** Real time in milliseconds since 1970; default: the machine's. */
  readonly now?: () => number;
  /** A monotonic clock in milliseconds; default: the machine's. */
  readonly monotonic?: () => number;
  /** The file system for the data; default: the machine's. */
  readonly files?: FileSystem;
  readonly log?: (line: string) => void;
  /** Runs the programs that deliver to devices; default: none. */
  readonly programs?: Programs;
  /** Handles POST stop; default: it is refused. */
  readonly stop?: () => void;
  /** Requests and faults of another Stagedoor, for display. */
  readonly seen?: ServerHost["seen"];
  /** The machine's addresses; default: the real ones. */
  readonly addresses?: () => readonly MachineAddress[];
  /** Resolves names; default: like the system. */
  readonly lookup?: Lookup;
  /** Lower maxima than those of the table of limits. */
  readonly bounds?: Partial<Maxima>;
}

/** Made once for all tests of a user, who alone can read it. */
const CA_DIR = join(tmpdir(), `stagedoor-test-ca-${process.getuid?.() ?? "own"}`);

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
  caDir: CA_DIR,
  checkHosts: [],
  signingKey: null,
  adminHost: null,
  consoleHost: null,
  accessToken: null,
  joinToken: null,
  shared: { apps: 250, mebibytes: null },
  allowHosts: [],
  publicUrls: { admin: null, auth: null, console: null },
  testOrigins: [],
  persistRequests: false,
  durability: "memory",
  json: false,
  open: false,
  headless: true,
  bodyLimitBytes: 1_048_576,
  retention: { passcodes: 1_000, sessions: 50_000, requests: 1_000 },
};

/** A test that happens to opt in must not reach a developer's emulator. */
const NO_PROGRAMS: Programs = {
  run: async () => ({ how: "not started", why: "this test runs no programs" }),
  stop: () => undefined,
};

/** Starts a server that checks every response against its schema. The test closes it. */
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
  bounds,
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
      ...(bounds === undefined ? {} : { bounds }),
    },
  );
