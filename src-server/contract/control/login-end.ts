/** When a login has ended. Apart from the schemas, which the first view of the console does not hold. */

/** A login without a request or a code for longer has ended, in milliseconds of the service's clock. */
export const LOGIN_QUIET_MS = 600_000;

/** @returns whether a request ended its login with a session, and not only because a fault said so. */
export const givesSession = ({
  status,
  reason,
}: {
  readonly status: number;
  readonly reason: string | null;
}): boolean => (status === 200 || status === 201) && reason === null;
