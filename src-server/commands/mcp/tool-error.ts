/** A failure that the agent can handle. */
export class ToolError extends Error {
  /** A code such as `no_app`. */
  readonly code: string;

  /** @param message what is wrong, and what to do. */
  constructor(code: string, message: string) {
    super(message);
    this.name = "ToolError";
    this.code = code;
  }
}
