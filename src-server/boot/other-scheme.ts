/** A client that speaks https to an http port, or http to an https port: said once for each port. */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Called when a client speaks the other scheme. @param socket of the client. */
export type OnOtherScheme = (socket: Duplex) => void;

const portOf = (socket: Duplex): string =>
  "localPort" in socket && typeof socket.localPort === "number" ? String(socket.localPort) : "";

/** @param name of the listener. @param own its scheme. @param log gets the sentence, once. */
export const otherScheme = (name: string, own: "http" | "https", log: (line: string) => void): OnOtherScheme => {
  let isSaid = false;
  return (socket) => {
    if (!isSaid) log(sentenceFor(name, own, portOf(socket)));
    isSaid = true;
  };
};

const sentenceFor = (name: string, own: "http" | "https", port: string): string => {
  if (own === "https")
    return `A client spoke plain http to ${name}, whose port ${port} is https. ${useWords(own, port)}`;
  const tls = name === "auth" ? " For https, start with --tls." : "";
  return `A client spoke TLS to ${name}, which is http. ${useWords(own, port)}${tls}`;
};
const useWords = (scheme: "http" | "https", port: string): string => `Use ${scheme}://127.0.0.1:${port}.`;

/** @returns whether these are the first bytes of a TLS connection. */
export const isTlsHello = (bytes: unknown): boolean => Buffer.isBuffer(bytes) && bytes[0] === 0x16 && bytes[1] === 0x03;

/** Answers a request in plain http on an https port. */
export const answerPlain = (socket: Duplex): void => {
  const body = JSON.stringify({
    message: STATUS_CODES[400],
    instruction: `This port is https. ${useWords("https", portOf(socket))}`,
  });
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`HTTP/1.1 400 ${STATUS_CODES[400]}\r\n${headers}\r\n\r\n${body}`);
};
