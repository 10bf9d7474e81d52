/** What is wrong, by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFieldErrors = (body: unknown): body is FieldErrors =>
  isObject(body) && Object.values(body).every((errors) => Array.isArray(errors));

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

  /** What is wrong, by field of the request; empty unless the status is 422. */
  get fields(): FieldErrors {
    return this.status === 422 && isFieldErrors(this.body) ? this.body : {};
  }

  /** What the emulator says about it, to show to a person: without the method and path that `message` begins with. */
  get explanation(): string {
    const { body } = this;
    if (!isObject(body)) return this.message;
    if (typeof body["message"] === "string" && typeof body["instruction"] === "string")
      return `${body["message"]}. ${body["instruction"]}`;
    const flaws = Object.entries(this.fields).map(([field, errors]) => `${field} ${errors.join(", ")}`);
    return flaws.join("; ") || this.message;
  }
}
