/** The page for phones, and the certificate that they must trust (CONTRACT 9, hello). */
import { randomBytes } from "node:crypto";
import { problem } from "#contract/problems.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

/** @returns the policy of the page: no external resources. @param tlsOrigin the origin that its script may call. */
const policy = (nonce: string, tlsOrigin: string | null): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // A policy cannot name an IPv6 address.
    `connect-src ${tlsOrigin === null ? "'none'" : tlsOrigin.includes("[") ? "https:" : tlsOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** @returns the handlers of the hello page. */
export const createHelloHandlers = ({ network, version, machine }: Deps) =>
  ({
    readHello: async ({ req, query, exchange }) => {
      const { hostname, host } = new URL(`http://${req.headers.host}`);
      const [{ ca, leaf }, { tls }] = [await network().tls(), network().ports()];
      const tlsOrigin = tls === null ? null : `https://${hostname}:${tls}`;
      const nonce = randomBytes(16).toString("base64");
      const { helloPage } = await import("./hello-page.ts");
      const text = helloPage({
        nonce,
        version,
        machine,
        host,
        scheme: exchange.scheme,
        userAgent: req.headers["user-agent"] ?? "",
        tlsOrigin,
        fingerprint: ca?.fingerprint256 ?? null,
        isUncovered: leaf?.uncovered.includes(hostname.replace(/^\[|\]$/g, "")) ?? false,
        appId: query.appId ?? null,
      });
      const headers = {
        "Content-Security-Policy": policy(nonce, exchange.scheme === "http" ? tlsOrigin : null),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
      };
      return { status: 200, text, contentType: "text/html; charset=utf-8", headers };
    },
    readCaCertificate: async () => {
      const root = await network().root();
      if (root === undefined) return problem("no_certificate");
      return { status: 200, text: root.der, contentType: "application/x-x509-ca-cert" };
    },
    readCaProfile: async () => {
      const root = await network().root();
      if (root === undefined) return problem("no_certificate");
      const { caProfile } = await import("./ca-profile.ts");
      return { status: 200, text: caProfile(root), contentType: "application/x-apple-aspen-config" };
    },
  }) satisfies Partial<Handlers<"auth">>;
