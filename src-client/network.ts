/** How others reach the emulator. */
import type * as R from "./records.ts";
import type { Transport } from "./transport.ts";

/** How others reach the emulator: `await client.lan.open()`, `await client.connect.adbReverse()`. */
export const createNetwork = ({ ask }: Transport) => ({
  /** Where others reach the emulator: through a proxy, or under the mapped ports of a container. */
  publicUrls: {
    read: (): Promise<R.PublicUrls> => ask("GET", "public-urls"),
    /** Sets them until the emulator stops, for tokens, links and pages; null: the URL that listens. */
    set: (body: R.PublicUrlsInput): Promise<R.PublicUrls> => ask("PUT", "public-urls", { body }),
  },
  /** Auth on the local network, for phones. Not remembered across a restart. */
  lan: {
    read: (): Promise<R.Lan> => ask("GET", "lan"),
    open: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: true } }),
    /** Closes it, including the connections from the network. */
    close: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: false } }),
  },
  /** Auth over TLS, with a local certificate authority. */
  tls: {
    read: (): Promise<R.Tls> => ask("GET", "tls"),
    on: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: true } }),
    off: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: false } }),
  },
  /** The clients of auth, newest first. */
  clients: {
    list: (): Promise<R.List<R.AuthClient>> => ask("GET", "clients"),
  },
  /** Connects emulators and simulators on the emulator's machine to auth. */
  connect: {
    /** Checks every auth URL from this machine: does the name resolve, is the port open, is the certificate valid? */
    check: (): Promise<R.List<R.Reach>> => ask("POST", "connect/check"),
    /** Forwards the ports of auth from an Android device with `adb reverse`. */
    adbReverse: (body: R.AdbReverseInput = {}): Promise<R.AdbReversed> => ask("POST", "connect/adb-reverse", { body }),
    /** Makes booted iOS simulators trust the certificate authority. */
    simulatorTrust: (body: R.SimulatorTrustInput = {}): Promise<R.SimulatorTrusted> =>
      ask("POST", "connect/simulator-trust", { body }),
  },
});
