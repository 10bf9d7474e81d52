/** What is never read, kept or shown: whatever is named like a password or a key. */
import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { plainName } from "./values.ts";

const SECRET =
  /passw|passphrase|passcode|^pass$|pwd|hash|salt|secret(?!ar)|token|totp|credential|^otp|otp$|^pin$|pincode|digest|(?:api|private|signing|encryption)key|(?:backup|recovery|mfa|securit)codes?|kennwort|contrasena|motdepasse|senha$|wachtwoord|heslo|haslo|parola|losenord|пароль|密码|密碼|パスワード|暗証/;

/** @param name of a column, or a path. @returns whether its values must not be read. */
export const isSecret = (name: string): boolean =>
  name.split(".").some((part) => {
    const plain = plainName(part);
    return plain !== "testpasscode" && SECRET.test(plain);
  });

/** @returns the value without what is secret in it, and without what is empty; undefined if nothing is left. */
export const withoutSecrets = (value: JsonValue): JsonValue | undefined => {
  if (value === null || value === "") return undefined;
  if (isJsonArray(value)) {
    const kept = value.map(withoutSecrets).filter((entry) => entry !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const left = key === "__proto__" || isSecret(key) ? undefined : withoutSecrets(inner);
    return left === undefined ? [] : [[key, left]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};
