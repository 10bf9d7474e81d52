/** Checks which session tokens a backend accepts. The kernel signs them. */

import { control, answersOk as ok } from "#contract/control/rows.ts";
import { tokenCheckAnswer, tokenCheckInput } from "./contract/token-check.ts";

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    checkBackend: control("POST", "sessions/:id/token-check",
      "Call your backend with a valid token and with defective ones", ok(tokenCheckAnswer),
      { body: tokenCheckInput, problems: ["session_not_active", "console_open", "own_key"] }),
  },
  types: {
    TokenCheckInput: [tokenCheckInput, "Which backend to call with tokens, and how."],
    TokenCheck: [tokenCheckAnswer, "How a backend responded to each token."],
  },
  examples: {
    checkBackend: { url: "http://127.0.0.1:8080/me" },
  },
} as const;
