/** The keys that sign session tokens, as the control API shows them. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";
import { KEY_ALGORITHMS } from "./token-claims.ts";

const keyAlgorithm = z.enum(KEY_ALGORITHMS);

/** A signing key; never the key itself. */
export const signingKeyItem = z.object({
  kid: z.string().describe("The key id, in the header of tokens and in the JWKS."),
  algorithm: keyAlgorithm,
  state: z
    .enum(["current", "previous"])
    .describe("current: signs the tokens of its algorithm; previous: its tokens stay valid until it is retired."),
  createdAt: z
    .string()
    .nullable()
    .describe("Real time. null: not known, as with --signing-key and data from before this was stored."),
  tokens: z
    .int()
    .describe("The active sessions whose token it signed first; after a restart, by when each session began."),
});
export type SigningKeyItem = z.infer<typeof signingKeyItem>;

/** A key without the count of its tokens. `seq`: it signed only sessions after this number of the store. */
export type SigningKeyFacts = Omit<SigningKeyItem, "tokens"> & { readonly seq: number };

/** What is stored with a key. `seq`: of the last change of the store before it; 0: it is the first of its algorithm. */
export const keyBirth = z.object({ createdAt: isoInstantText, seq: z.int().min(0) });
export type KeyBirth = Readonly<z.infer<typeof keyBirth>>;
