/**
 * The page at /emulator/hello for phone browsers: one file, no external resources, usable at 320 px. Its syntax is that
 * of five years ago.
 */

import { escaped } from "#http/answering/html.ts";

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
  readonly isUncovered: boolean;
  readonly appId: string | null;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2127;--soft:#5c6470;--line:#dcdcd6;--back:#fbfbf9;--lamp:#8a5200;--good:#1b6e3c;--bad:#a4262c}
@media(prefers-color-scheme:dark){:root{--ink:#e7e9ec;--soft:#98a0ad;--line:#2f343d;--back:#14161a;--lamp:#f2a93b;--good:#6fcf97;--bad:#ff8a80}}
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
const { url, checking, works, fails } = line.dataset;
const show = (kind, text) => { line.className = kind; line.textContent = text; };
const check = () =>
  fetch(url, { cache: "no-store" }).then(
    () => show("good", works),
    () => {
      show("bad", fails);
      setTimeout(check, 5000);
    },
  );
if (url) {
  show("", checking);
  check();
}`;

/** The kinds of devices: how to recognise their user agents, and their instructions. */
const KINDS: readonly {
  readonly form: RegExp;
  readonly name: string;
  readonly steps: readonly string[];
}[] = [
  {
    form: /iPhone|iPad|iPod|Macintosh/,
    name: "iPhone or iPad",
    steps: [
      "Open this page in Safari, tap Download certificate and allow it.",
      "In Settings, open General, then VPN & Device Management. Tap the Stagedoor CA profile and install it.",
      "In Settings, open General, then About, then Certificate Trust Settings. Turn on the Stagedoor CA.",
    ],
  },
  {
    form: /Android/,
    name: "Android",
    steps: [
      "Tap Download certificate.",
      "In Settings, search for “CA certificate”. Choose Install anyway, then the file ca.crt.",
      "Browsers trust it now. An app trusts it only if the network security config of its debug build allows user certificates.",
    ],
  },
  {
    form: /./,
    name: "Computer",
    steps: [
      "Download the certificate.",
      "Import it into the browser or the system as a trusted root. For one command only: curl --cacert takes the PEM of Stagedoor’s Setup.",
    ],
  },
];

const stepsFor = (userAgent: string): string => {
  const own = KINDS.find(({ form }) => form.test(userAgent));
  const told = KINDS.map((kind) => {
    const { name, steps } = kind;
    const lines = steps.map((step) => `<li>${escaped(step)}</li>`).join("");
    const how = `<a class="button" href="/emulator/hello/ca.crt">Download certificate</a><ol>${lines}</ol>`;
    return kind === own ? `<h3>${name}</h3>${how}` : `<details><summary>${name}</summary>${how}</details>`;
  });
  const at = own === undefined ? 0 : KINDS.indexOf(own);
  return [...told.splice(at, 1), ...told].join("");
};

const tlsLine = ({ scheme, tlsOrigin }: Hello): string => {
  if (scheme === "https") return `<p id="tls" class="good">This page came over https.</p>`;
  if (tlsOrigin === null) return `<p id="tls">https is off. Turn it on in Stagedoor, in Setup.</p>`;
  const data = Object.entries({
    url: `${tlsOrigin}/livez`,
    checking: "Checking https …",
    works: "https works: this device trusts the certificate.",
    fails: "https does not work yet: this device does not trust the certificate, or cannot reach the port.",
  }).map(([name, value]) => `data-${name}="${escaped(value)}"`);
  return `<p id="tls" role="status" ${data.join(" ")}>Open this page over https to check the certificate.</p>`;
};

const fact = (name: string, value: string): string => `<div><dt>${escaped(name)}</dt><dd>${value}</dd></div>`;

/** @returns the page. */
export const helloPage = (hello: Hello): string => {
  const { nonce, version, machine, host, scheme, userAgent, tlsOrigin, fingerprint, isUncovered, appId } = hello;
  const query = appId === null ? "" : `?appId=${encodeURIComponent(appId)}`;
  const secure = `${tlsOrigin}/emulator/hello${query}`;
  const where = `${version} on ${machine}`;
  const certificate =
    fingerprint === null
      ? "<p>There is no certificate yet. Turn on TLS in Stagedoor, in Setup, and reload this page.</p>"
      : `<p>SHA-256 fingerprint. Compare it with the one in Setup:</p><p><code>${fingerprint}</code></p>
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
${fact("Stagedoor", escaped(where))}
${fact("Address", `<code>${escaped(host)}</code>`)}
${fact("Connection", scheme === "https" ? "https (TLS)" : "http")}
</dl>
${tlsLine(hello)}
${isUncovered ? "<p>The certificate cannot cover this address, which is not private. Use a local name or address, or http.</p>" : ""}
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
