/** Which URLs lead to the machine itself; for the server, the UI and commands. */

/**
 * @param url as `URL` writes it. @returns whether the host is `localhost` or a loopback address: others reach it under
 * another name, if at all.
 */
export const isLoopbackUrl = (url: string): boolean =>
  /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/.test(url);
