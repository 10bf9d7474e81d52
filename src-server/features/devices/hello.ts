/** The page for phones, and the certificate that they must trust. */
import { randomBytes } from "node:crypto";
import { problem } from "#contract/service/problems.ts";
import type { Kernel } from "#features/kernel.ts";
import { page } from "#http/answering/html.ts";
import type { Handlers } from "#http/handler.ts";

/** @returns the handlers of the hello page. */
export const createHelloHandlers = ({
  program: { version },
  started: { machine },
  place: { network, urls, listening },
}: Kernel) =>
  ({
    readHello: async ({ req, query, exchange }) => {
      const { hostname, host } = new URL(`http://${req.headers.host}`);
      const { ca, leaf } = await network().tls();
      const { tls } = network().ports();
      const { auth } = urls();
      const isPublic = auth !== listening().auth && host === new URL(auth).host;
      // Behind a proxy, or under another port, https is the proxy's.
      const tlsOrigin = tls === null || isPublic ? null : `https://${hostname}:${tls}`;
      const nonce = randomBytes(16).toString("base64");
      const scheme = isPublic && auth.startsWith("https:") ? "https" : exchange.scheme;
      const { helloPage } = await import("./hello-page.ts");
      const text = helloPage({
        nonce,
        version,
        machine,
        host,
        scheme,
        userAgent: req.headers["user-agent"] ?? "",
        tlsOrigin,
        fingerprint: ca?.fingerprint256 ?? null,
        isUncovered: leaf?.uncovered.includes(hostname.replace(/^\[|\]$/g, "")) ?? false,
        appId: query.appId ?? null,
      });
      const called = scheme === "http" && tlsOrigin !== null ? tlsOrigin : "'none'";
      // A policy cannot name an IPv6 address.
      const connect = called.includes("[") ? "https:" : called;
      const sources = `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src ${connect}`;
      return page(text, sources, "'none'");
    },
    readCaCertificate: async () => {
      const root = await network().root();
      if (root === undefined) return problem("no_certificate");
      return { status: 200, text: root.der, contentType: "application/x-x509-ca-cert" };
    },
  }) satisfies Partial<Handlers<"auth">>;
