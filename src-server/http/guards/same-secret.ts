/** Compares secrets so that the time tells nothing. */
import { createHash, timingSafeEqual } from "node:crypto";

/** @returns the SHA-256 digest of a text. */
export const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** @returns whether two secrets are equal, in constant time. */
export const isSame = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));
