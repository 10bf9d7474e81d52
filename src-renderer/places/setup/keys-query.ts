import { query } from "../../api/queries.ts";

/** The keys that sign tokens, oldest first. */
export const signingKeysQuery = () => query(["signing-keys"], ({ signingKeys }) => signingKeys.list());
