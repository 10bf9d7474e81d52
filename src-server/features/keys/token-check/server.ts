/** The control API: calls a backend with a valid token and with defective ones. */
import { problem } from "#contract/service/problems.ts";
import { canHave, DEFECT_NAMES, type Defect, ROTATION_NAMES } from "#contract/service/token-defects.ts";
import { sessionState } from "#domain/sessions.ts";
import type { Setup } from "#features/kernel.ts";
import { ok, recordNamed } from "#http/lookups/select.ts";
import { createKeyLoans, createWrongSigner } from "#http/session-signer.ts";
import { addressError } from "./check-address.ts";
import type { CheckTools } from "./check-tokens.ts";
import type { TokenCheckInput } from "./contract/token-check.ts";

export const setup: Setup<"token-check"> = (kernel) => {
  const { tokens, place, started, maxima } = kernel;

  /** Calls a backend of the user's with tokens, at an address that is none of ours. */
  const check = async (input: TokenCheckInput, calls: Pick<CheckTools, "sign" | "defects" | "signal">) => {
    const { checkTokens } = await import("./check-tokens.ts");
    const { http, tls } = place.network().ports();
    const { admin, console } = place.listening();
    const others = [admin, console].map((url) => new URL(url).port);
    const rule = { ownPorts: [http, tls, ...others].map(Number), hosts: started.checkHosts };
    const allowed = (address: string, name: string, port: number) => addressError(address, name, port, rule);
    const { lookup } = started;
    return await checkTokens(input, { ...calls, callMs: maxima.tokenCheckMs, lookup, addressError: allowed });
  };

  return {
    checkBackend: async ({ world, params, body, env, req }) => {
      const { app, record } = recordNamed(world, "sessions", params["id"]);
      // Other machines must not choose the URLs that this one calls.
      if (started.consoleHost !== null) return problem("console_open");
      if (sessionState(record, env.now(app.app.appId)) !== "active") return problem("session_not_active");
      if (body.rotate === true && tokens.hasOwnKey) return problem("own_key");
      const algorithm = app.app.settings.token?.algorithm ?? tokens.defaultAlgorithm;
      const names = body.rotate === true ? [...ROTATION_NAMES, ...DEFECT_NAMES] : DEFECT_NAMES;
      const defects = names.filter((defect) => canHave(algorithm, defect));
      // Loans of its own: another check of this session must not end them.
      const lent = createKeyLoans(tokens);
      const signer = createWrongSigner(kernel, lent);
      const sign = (defect: Defect | null) => signer({ app, record }, defect ?? undefined, env);
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      req.socket.once("close", leave);
      try {
        const checked = await check(body, { sign, defects, signal: gone.signal });
        return "problem" in checked ? checked : ok(checked);
      } finally {
        req.socket.off("close", leave);
        lent.end(record.id);
      }
    },
  };
};
