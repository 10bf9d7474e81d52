/** A refusal of the emulator, or no answer at all. */
export class StagedoorError extends Error {
  /** The HTTP status; 0 if nothing answered. */
  readonly status: number;
  /**
   * The exact cause, as the header `Emulator-Reason` names it: `unknown_record`, `invalid_fields`, `no_passcode` …; or
   * `unreachable` (nothing answered), `not_stagedoor` (something else did).
   */
  readonly reason: string;
  /** What was answered: parsed JSON, or text. */
  readonly body: unknown;

  constructor(message: string, status: number, reason: string, body: unknown = undefined, options?: ErrorOptions) {
    super(message, options);
    this.name = "StagedoorError";
    this.status = status;
    this.reason = reason;
    this.body = body;
  }
}
