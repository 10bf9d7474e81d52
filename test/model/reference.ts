/**
 * The service in sixty lines: sign-up, passcodes and sessions as the contract defines them, in the simplest form. Times
 * are seconds since the test began.
 */

interface Code {
  readonly code: string;
  readonly issuedAt: number;
  expiresAt: number;
  state: "active" | "used" | "replaced" | "exhausted";
  tries: number;
}

interface Session {
  readonly token: string;
  readonly begunAt: number;
  expiresAt: number;
  revoked: boolean;
}

/** A user in the reference. */
export interface User {
  readonly userId: string;
  readonly codes: Code[];
  readonly sessions: Session[];
}

const CODE_SECONDS = 600;
const SESSION_SECONDS = 86_400;
const TRIES = 5;

/** The reference. */
export class Reference {
  readonly users = new Map<string, User>();
  /** Tokens of deleted users. */
  readonly dead: string[] = [];
  now = 0;

  signUp(phone: string, userId: string, token: string): void {
    this.users.set(phone, { userId, codes: [], sessions: [] });
    this.begin(phone, token);
  }

  begin(phone: string, token: string): void {
    const begunAt = Math.floor(this.now);
    const sessions = this.users.get(phone)?.sessions;
    sessions?.push({ token, begunAt, expiresAt: begunAt + SESSION_SECONDS, revoked: false });
  }

  send(phone: string, code: string): void {
    const codes = this.users.get(phone)?.codes ?? [];
    for (const older of codes) if (older.state === "active") older.state = "replaced";
    codes.push({ code, issuedAt: this.now, expiresAt: this.now + CODE_SECONDS, state: "active", tries: 0 });
  }

  /** @returns the failure reason, or undefined on success. */
  submit(phone: string, typed: string): string | undefined {
    const user = this.users.get(phone);
    if (user === undefined) return "unknown_user";
    const newest = user.codes.at(-1);
    if (newest === undefined) return "passcode_not_sent";
    if (newest.state !== "active") return `passcode_${newest.state}`;
    if (this.now >= newest.expiresAt) return "passcode_expired";
    newest.tries++;
    if (newest.code === typed) {
      newest.state = "used";
      return undefined;
    }
    if (newest.tries === TRIES) newest.state = "exhausted";
    return user.codes.some((c) => c.state === "replaced" && c.code === typed)
      ? "passcode_replaced"
      : "passcode_mismatch";
  }

  expireCode(phone: string): void {
    const newest = this.users.get(phone)?.codes.at(-1);
    if (newest !== undefined) newest.expiresAt = Math.min(newest.expiresAt, this.now);
  }

  remove(phone: string): void {
    for (const { token } of this.users.get(phone)?.sessions ?? []) this.dead.push(token);
    this.users.delete(phone);
  }

  isActive(session: Session): boolean {
    return !session.revoked && this.now >= session.begunAt && this.now < session.expiresAt;
  }
}
