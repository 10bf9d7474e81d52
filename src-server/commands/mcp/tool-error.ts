/** A failure that the agent can do something about. */
export class ToolError extends Error {
  /** What is wrong, as one word, such as `no_app`. */
  readonly code: string;

  /** @param message what is wrong and what to do. */
  constructor(code: string, message: string) {
    super(message);
    this.name = "ToolError";
    this.code = code;
  }
}
