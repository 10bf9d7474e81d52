/** The page at /emulator/hello for phone browsers: one file, no external resources, usable at 320 px (CONTRACT 9). */
import { escaped } from "../html.ts";

/** The content of the page. */
export interface Hello {
  readonly nonce: string;
  readonly version: string;
  readonly machine: string;
  readonly host: string;
  readonly scheme: "http" | "https";
  readonly userAgent: string;
  /** The TLS origin of this page; null while TLS is off. */
  readonly tlsOrigin: string | null;
  readonly fingerprint: string | null;
  /** Whether the certificate of the listener cannot cover this address. */
  readonly isUncovered: boolean;
  readonly appId: string | null;
}

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1d2127,#e7e9ec);--soft:light-dark(#5c6470,#98a0ad);--line:light-dark(#dcdcd6,#2f343d);--back:light-dark(#fbfbf9,#14161a);--lamp:light-dark(#8a5200,#f2a93b);--good:light-dark(#1b6e3c,#6fcf97);--bad:light-dark(#a4262c,#ff8a80)}
*{box-sizing:border-box}
body{margin:0 auto;padding:20px 16px 40px;max-width:36rem;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 12px}h2{font-size:1.125rem;margin:32px 0 8px}h3{font-size:1rem;margin:20px 0 8px}
p{margin:0 0 12px}dl{margin:0 0 16px;border-top:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;gap:0 12px;padding:8px 0;border-bottom:1px solid var(--line)}
dt{color:var(--soft);min-width:6.5rem}dd{margin:0}
a{color:var(--lamp);text-underline-offset:3px}
.button{display:block;margin:0 0 12px;padding:12px 16px;min-height:48px;border:1px solid var(--lamp);border-radius:8px;text-align:center;text-decoration:none;font-weight:600}
:focus-visible{outline:3px solid var(--lamp);outline-offset:2px}
code{font:14px/1.5 ui-monospace,monospace}
ol{margin:0 0 12px;padding-left:1.4rem}li{margin-bottom:6px}
details{border-top:1px solid var(--line)}summary{padding:12px 0;cursor:pointer}
.good{color:var(--good)}.bad{color:var(--bad)}`;

/** Sends a request over TLS: it succeeds only if this device trusts the certificate. */
const SCRIPT = `
const line = document.getElementById("tls");
const url = line.dataset.url;
const show = (kind, text) => { line.className = kind; line.textContent = text; };
const check = () =>
  fetch(url, { cache: "no-store" }).then(
    () => show("good", "https works: this device trusts the certificate."),
    () => {
      show("bad", "https does not work yet: this device does not trust the certificate, or cannot reach the port.");
      setTimeout(check, 5000);
    },
  );
if (url) {
  show("", "Checking https …");
  check();
}`;

const DOWNLOAD = {
  apple: '<a class="button" href="/emulator/hello/ca.mobileconfig">Download profile</a>',
  other: '<a class="button" href="/emulator/hello/ca.crt">Download certificate</a>',
} as const;

const steps = (...lines: readonly string[]): string => `<ol>${lines.map((line) => `<li>${line}</li>`).join("")}</ol>`;

/** The kinds of devices: how to recognise their user agents, and their instructions. */
const KINDS: readonly { readonly name: string; readonly form: RegExp; readonly steps: string }[] = [
  {
    name: "iPhone or iPad",
    form: /iPhone|iPad|iPod|Macintosh/,
    steps: `${DOWNLOAD.apple}${steps(
      "Open this page in Safari, tap Download profile and allow it.",
      "In Settings, open General, then VPN &amp; Device Management. Tap the Stagedoor CA profile and install it.",
      "In Settings, open General, then About, then Certificate Trust Settings. Turn on the Stagedoor CA.",
    )}`,
  },
  {
    name: "Android",
    form: /Android/,
    steps: `${DOWNLOAD.other}${steps(
      "Tap Download certificate.",
      "In Settings, search for “CA certificate”. Choose Install anyway, then the file ca.crt.",
      "Browsers trust it now. An app trusts it only if the network security config of its debug build allows user certificates.",
    )}`,
  },
  {
    name: "Computer",
    form: /./,
    steps: `${DOWNLOAD.other}${steps(
      "Download the certificate.",
      "Import it into the browser or the system as a trusted root. For one command only: <code>curl --cacert</code> takes the PEM of Stagedoor’s Connect screen.",
    )}`,
  },
];

const stepsFor = (userAgent: string): string => {
  const own = KINDS.find(({ form }) => form.test(userAgent));
  const others = KINDS.filter((kind) => kind !== own);
  const folded = others.map((kind) => `<details><summary>${kind.name}</summary>${kind.steps}</details>`);
  return `${own === undefined ? "" : `<h3>${own.name}</h3>${own.steps}`}${folded.join("")}`;
};

const tlsLine = ({ scheme, tlsOrigin }: Hello): string => {
  if (scheme === "https") return '<p id="tls" class="good">This page came over https.</p>';
  if (tlsOrigin === null) return '<p id="tls">https is off. Turn it on in Stagedoor, on the Connect screen.</p>';
  const url = escaped(`${tlsOrigin}/livez`);
  return `<p id="tls" role="status" data-url="${url}">Open this page over https to check the certificate.</p>`;
};

const fact = (name: string, value: string): string => `<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @returns the page. */
export const helloPage = (hello: Hello): string => {
  const { nonce, version, machine, host, scheme, userAgent, tlsOrigin, fingerprint, isUncovered, appId } = hello;
  const query = appId === null ? "" : `?appId=${encodeURIComponent(appId)}`;
  const secure = `${tlsOrigin}/emulator/hello${query}`;
  const certificate =
    fingerprint === null
      ? "<p>There is no certificate yet. Turn on TLS in Stagedoor, on the Connect screen, and reload this page.</p>"
      : `<p>SHA-256 fingerprint. Compare it with the one on the Connect screen:</p><p><code>${fingerprint}</code></p>
${stepsFor(userAgent)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Connected to Stagedoor</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>Connected to Stagedoor</h1>
<dl>
${fact("Stagedoor", `${escaped(version)} on ${escaped(machine)}`)}
${fact("Address", `<code>${escaped(host)}</code>`)}
${fact("Connection", scheme === "https" ? "https (TLS)" : "http")}
</dl>
${tlsLine(hello)}
${isUncovered ? "<p>The certificate cannot cover this address: it is not one of a private network. Use a local name or address, or http.</p>" : ""}
<a class="button" href="/emulator/demo/${escaped(query)}">Open demo app</a>
${scheme === "http" && tlsOrigin !== null ? `<p><a href="${escaped(secure)}">Open this page over https</a></p>` : ""}
<h2>Certificate</h2>
${certificate}
</main>
${scheme === "http" && tlsOrigin !== null ? `<script nonce="${nonce}">${SCRIPT}</script>` : ""}
</body>
</html>
`;
};
