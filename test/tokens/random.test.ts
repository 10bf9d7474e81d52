import { describe, expect, test } from "vitest";
import { readUuid } from "#contract/scalars.ts";
import { createRandom } from "#server/boot/random.ts";

const random = createRandom();
const draw = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Chi-squared over the symbols; 1.6 times the degrees of freedom is exceeded by chance less than once in a million. */
const looksUniform = (text: string, alphabet: string): boolean => {
  const counts = new Map<string, number>();
  for (const symbol of text) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  const mean = text.length / alphabet.length;
  const chi = [...alphabet].reduce((sum, symbol) => sum + ((counts.get(symbol) ?? 0) - mean) ** 2 / mean, 0);
  return chi < (alphabet.length - 1) * 1.6 + 40;
};

describe("randomness", () => {
  test("generates unique lower-case version 4 UUIDs", () => {
    const ids = draw(10_000, () => random.uuid());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids.slice(0, 200)) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(readUuid(id)).toBe(id);
    }
  });

  test("D24: generates the requested number of uniform digits, leading zeros included", () => {
    for (let count = 1; count <= 14; count++) expect(random.digits(count)).toMatch(new RegExp(`^[0-9]{${count}}$`));
    const codes = draw(50_000, () => random.digits(6));
    for (let place = 0; place < 6; place++)
      expect(looksUniform(codes.map((code) => code.charAt(place)).join(""), "0123456789")).toBe(true);
  });

  test("repeats itself for the same seed, and looks random", () => {
    const other = createRandom();
    const lots = Array.from({ length: 50_000 }, (_, i) => JSON.stringify(["seed", "app", i, "code"]));
    // Fixed values: what tests have recorded must not change in a later version.
    expect(random.uuid("a lot")).toBe("cc421e18-139f-45a3-ab47-5819ecb4605f");
    expect([4, 6, 10, 14].map((count) => random.digits(count, "a lot"))).toEqual([
      "8330",
      "378330",
      "4134378330",
      "48664134378330",
    ]);
    const ids = lots.map((lot) => random.uuid(lot));
    expect(new Set(ids).size).toBe(ids.length);
    for (const [i, id] of ids.slice(0, 200).entries()) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(other.uuid(lots[i])).toBe(id);
    }
    const codes = lots.map((lot) => random.digits(6, lot));
    for (let place = 0; place < 6; place++)
      expect(looksUniform(codes.map((code) => code.charAt(place)).join(""), "0123456789")).toBe(true);
    for (let place = 0; place < 32; place++)
      if (place !== 12 && place !== 16)
        expect(looksUniform(ids.map((id) => id.replaceAll("-", "").charAt(place)).join(""), "0123456789abcdef")).toBe(
          true,
        );
  });

  test("generates secrets as a prefix and 32 uniform letters and digits", () => {
    const secrets = draw(5_000, () => random.secret());
    for (const secret of secrets) expect(secret).toMatch(/^sk_local_[0-9A-Za-z]{32}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
    const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    expect(looksUniform(secrets.map((secret) => secret.slice(9)).join(""), alphabet)).toBe(true);
  });
});
