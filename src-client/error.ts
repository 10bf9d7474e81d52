/** Errors by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** @returns errors by field as text. */
export const fieldsText = (fields: object): string =>
  Object.entries(fields)
    .map(([field, errors]) => `${field} ${Array.isArray(errors) ? errors.join(", ") : String(errors)}`)
    .join("; ");

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFieldErrors = (body: unknown): body is FieldErrors =>
  isObject(body) && Object.values(body).every(Array.isArray);

/** An error response of the emulator, or no response at all. */
export class StagedoorError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /**
   * The exact cause, as in the `Emulator-Reason` header: `unknown_record`, `invalid_fields`, `no_passcode` …; or
   * `unreachable` (no response), `not_stagedoor` (another program responded).
   */
  readonly reason: string;
  /** The response body: parsed JSON, or text. */
  readonly body: unknown;

  constructor(message: string, status: number, reason: string, body: unknown = undefined, options?: ErrorOptions) {
    super(message, options);
    this.name = "StagedoorError";
    this.status = status;
    this.reason = reason;
    this.body = body;
  }

  /** Errors by request field; empty unless the status is 422. */
  get fields(): FieldErrors {
    return this.status === 422 && isFieldErrors(this.body) ? this.body : {};
  }

  /** The emulator's message for display: without the method and path at the start of `message`. */
  get explanation(): string {
    const { body } = this;
    if (!isObject(body)) return this.message;
    if (typeof body["message"] === "string" && typeof body["instruction"] === "string")
      return `${body["message"]}. ${body["instruction"]}`;
    return fieldsText(this.fields) || this.message;
  }
}
