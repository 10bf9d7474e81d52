/** English, and with it the names of all texts: the compiler holds the other languages to them. */
import { frozen } from "#contract/frozen.ts";

/** The texts of the page at `/emulator/hello`. */
export const HELLO_TEXTS = frozen({
  title: "Connected to Stagedoor",
  where: "{version} on {machine}",
  address: "Address",
  connection: "Connection",
  cameOverHttps: "This page came over https.",
  httpsOff: "https is off. Turn it on in Stagedoor, in Setup.",
  tryHttps: "Open this page over https to check the certificate.",
  checking: "Checking https …",
  works: "https works: this device trusts the certificate.",
  fails: "https does not work yet: this device does not trust the certificate, or cannot reach the port.",
  uncovered: "The certificate cannot cover this address, which is not private. Use a local name or address, or http.",
  openDemo: "Open demo app",
  openOverHttps: "Open this page over https",
  certificate: "Certificate",
  noCertificate: "There is no certificate yet. Turn on TLS in Stagedoor, in Setup, and reload this page.",
  fingerprint: "SHA-256 fingerprint. Compare it with the one in Setup:",
  apple: "iPhone or iPad",
  computer: "Computer",
  downloadProfile: "Download profile",
  downloadCertificate: "Download certificate",
  apple1: "Open this page in Safari, tap Download profile and allow it.",
  apple2: "In Settings, open General, then VPN & Device Management. Tap the Stagedoor CA profile and install it.",
  apple3: "In Settings, open General, then About, then Certificate Trust Settings. Turn on the Stagedoor CA.",
  android1: "Tap Download certificate.",
  android2: "In Settings, search for “CA certificate”. Choose Install anyway, then the file ca.crt.",
  android3:
    "Browsers trust it now. An app trusts it only if the network security config of its debug build allows user certificates.",
  computer1: "Download the certificate.",
  computer2:
    "Import it into the browser or the system as a trusted root. For one command only: curl --cacert takes the PEM of Stagedoor’s Connect screen.",
} as const);

/** The texts of the page in a language. */
export type HelloTexts = Readonly<Record<keyof typeof HELLO_TEXTS, string>>;
