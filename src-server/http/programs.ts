/** How other programs are run: what a host can give, for features to use. */

/** One run of a program. */
export interface ProgramCall {
  /** Its name, looked up on the PATH; on Windows `adb` finds `adb.exe`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Its standard input; absent: none. */
  readonly input?: string;
  /** How long it may take, in milliseconds; absent: as long as programs usually may. */
  readonly timeoutMs?: number;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly how: "ended"; readonly status: number; readonly out: string; readonly err: string }
  /** It is not on the PATH, or could not be started: `why` is a sentence. */
  | { readonly how: "not started"; readonly why: string }
  /** It exceeded the timeout and was killed. */
  | { readonly how: "too slow" }
  /** The server is stopping. */
  | { readonly how: "stopped" };

/** Runs a program; never rejects. */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

/** The running programs of one server. */
export interface Programs {
  readonly run: RunProgram;
  /** Kills running programs; later ones are not started. */
  stop(): void;
}
