/** The keys that sign tokens: listed, rotated and retired. The keys themselves are the kernel's. */
import { z } from "zod";
import { control, gone, listOf } from "#contract/control/rows.ts";
import { optional } from "#contract/scalars.ts";
import { signingKeyItem } from "#contract/service/signing-keys.ts";
import { KEY_ALGORITHMS } from "#contract/service/token-claims.ts";

/** Body of a rotation. */
const rotateInput = z.strictObject({
  algorithm: optional(z.enum(KEY_ALGORITHMS), "Default: that of apps without token.algorithm."),
});

const KEYS = { decision: "D29" } as const;

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    listSigningKeys: control("GET", "signing-keys", "List the keys that sign tokens, oldest first",
      listOf(signingKeyItem), { ...KEYS, bound: "own" }),
    rotateSigningKey: control("POST", "signing-keys/rotate",
      "Sign with a new key from now on; the tokens of the previous one stay valid", listOf(signingKeyItem),
      { ...KEYS, body: rotateInput, problems: ["own_key"] }),
    retireSigningKey: control("DELETE", "signing-keys/:kid",
      "Remove a previous key from the JWKS; its tokens become invalid", gone,
      { ...KEYS, problems: ["own_key", "current_key"], isDrastic: true }),
  },
  events: { "signing-key.put": signingKeyItem, "signing-key.remove": z.object({ kid: z.string() }) },
  schemas: { SigningKey: signingKeyItem },
  types: {
    SigningKey: [signingKeyItem, "A key that signs session tokens."],
    RotateInput: [rotateInput, "Which signing key to replace."],
  },
  parameters: { kid: { schema: z.string(), description: "The id of the key, or `previous`.", example: "previous" } },
  tags: { "signing-keys": "The keys that sign session tokens: rotate and retire them." },
  examples: { rotateSigningKey: { algorithm: "RS256" } },
} as const;
