/** A call that did not succeed, in words that can be shown: the server's own where it gave any. */
export class RequestFailed extends Error {
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  /** What is wrong, by field (422 only). */
  readonly fields: Readonly<Record<string, readonly string[]>>;

  constructor(status: number, words: string, fields: Readonly<Record<string, readonly string[]>> = {}) {
    super(words);
    this.name = "RequestFailed";
    this.status = status;
    this.fields = fields;
  }
}

/** @returns what an error says, for people. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
