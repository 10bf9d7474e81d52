/** Phones, emulators and simulators: the local network, TLS, the page for phones, checks. The kernel listens. */
import { z } from "zod";
import { clientItem } from "#contract/control/clients.ts";
import { lanItem, tlsItem, urlCheck } from "#contract/control/network.ts";
import { control, listOf, answersOk as ok, type Rest, row } from "#contract/control/rows.ts";
import { optional } from "#contract/scalars.ts";

/** It has no path, which would have to be in every link. */
const baseUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#@\s]+\/?$/, "must be an http or https URL without a path, such as http://localhost:49154");
const given = (listener: string) =>
  optional(baseUrl.nullable(), `Where others reach ${listener}; null: the URL that listens. Absent: as before.`);
const publicUrlsInput = z.strictObject({ admin: given("admin"), auth: given("auth"), console: given("the console") });
const three = z.object({ admin: z.string(), auth: z.string(), console: z.string() });
const publicUrls = z.object({
  urls: three.describe("What tokens, links, pages and phones get."),
  listening: three.describe("The URLs on the machine or in the container that Stagedoor runs on."),
});

const adbReverseInput = z.strictObject({
  serial: optional(
    z.string().regex(/^\w[\w.:-]{0,254}$/, "must be a serial number as adb devices lists it"),
    "The serial of the device. Default: the only one.",
  ),
});
const adbReverseAnswer = z.object({
  serial: z.string().nullable(),
  ports: z.array(z.int()).describe("Ports of the device that are forwarded to the same ports of this machine."),
});
const simulatorTrustInput = z.strictObject({
  udid: optional(
    z.string().regex(/^[0-9A-Fa-f][0-9A-Fa-f-]{0,63}$/, "must be the UDID of a simulator"),
    "The UDID of the simulator. Default: all booted simulators.",
  ),
});
/** Those that now trust the certificate authority. */
const simulatorTrustAnswer = z.object({ udids: z.array(z.string()) });

const hello = <const R extends Rest>(path: string, summary: string, more: R) =>
  row("auth", "/emulator/hello", {})("GET", path, summary, ok(z.string()), more);
const helloQuery = z.object({
  appId: optional(z.string().max(255), "The app in the link to the demo app."),
});

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    readHello: hello("", "A page for phone browsers: connection, certificate, demo app",
      { query: helloQuery, isPage: true }),
    readCaCertificate: hello("/ca.crt", "The certificate that devices must trust, as DER",
      { contentType: "application/x-x509-ca-cert", problems: ["no_certificate"] }),
    readPublicUrls: control("GET", "public-urls", "The public URLs, and those that listen", ok(publicUrls)),
    setPublicUrls: control("PUT", "public-urls",
      "Set the URLs at which others reach Stagedoor, for tokens, links and pages, until it stops", ok(publicUrls),
      { body: publicUrlsInput }),
    readLan: control("GET", "lan", "Whether auth is open to the local network, and where", ok(lanItem)),
    setLan: control("PUT", "lan", "Open auth to the local network, or close it", ok(lanItem),
      { body: z.strictObject({ open: z.boolean() }), problems: ["port_taken"] }),
    readTls: control("GET", "tls", "Auth over TLS: its URLs and certificates", ok(tlsItem)),
    setTls: control("PUT", "tls", "Turn TLS on or off", ok(tlsItem),
      { body: z.strictObject({ on: z.boolean() }), problems: ["port_taken", "ca_unusable"] }),
    listClients: control("GET", "clients", "The clients of auth, newest first", listOf(clientItem)),
    checkReach: control("POST", "connect/check", "Check that every auth URL responds", listOf(urlCheck)),
    adbReverse: control("POST", "connect/adb-reverse",
      "Forward the ports of auth from an Android device", ok(adbReverseAnswer),
      { body: adbReverseInput, problems: ["tool_failed"] }),
    simulatorTrust: control("POST", "connect/simulator-trust",
      "Make booted iOS simulators trust the certificate authority", ok(simulatorTrustAnswer),
      { body: simulatorTrustInput, problems: ["tool_failed", "ca_unusable"] }),
  },
  schemas: { PublicUrls: publicUrls, Lan: lanItem, Tls: tlsItem, AuthClient: clientItem },
  types: {
    PublicUrls: [publicUrls, "The public URLs, and those that listen."],
    PublicUrlsInput: [publicUrlsInput, "The URLs to set; null: the one that listens."],
    Lan: [lanItem, "Auth on the local network."],
    Tls: [tlsItem, "Auth over TLS, and its certificates."],
    AuthClient: [clientItem, "A client of auth: an address and a user agent."],
    AdbReverseInput: [adbReverseInput, "Which Android device."],
    Reach: [urlCheck, "One auth URL, as seen from the server's machine."],
    AdbReversed: [adbReverseAnswer, "The forwarded ports."],
    SimulatorTrustInput: [simulatorTrustInput, "Which iOS simulator."],
    SimulatorTrusted: [simulatorTrustAnswer, "The simulators that now trust the certificate authority."],
  },
  tags: {
    hello: "The certificate that devices must trust, on the auth URL.",
    "public-urls": "Where others reach Stagedoor: through a proxy, or under mapped ports.",
    lan: "Auth on the local network.",
    tls: "Auth over TLS, and its certificates.",
    clients: "Who has called auth.",
    connect: "Checks and help for devices.",
  },
  examples: {
    setPublicUrls: { auth: "http://localhost:49154" },
    setLan: { open: true },
    setTls: { on: true },
    adbReverse: { serial: "emulator-5554" },
    simulatorTrust: {},
  },
} as const;
