/**
 * Unusual but valid phone numbers and email addresses (D7, D8). None of them belongs to anybody: numbers reserved for
 * fiction, or under the unassigned country code 999; domains of RFC 2606.
 */

/** An unusual username, and the name of the profile that has it. */
export interface OddUsername {
  readonly name: string;
  readonly username: string;
}

/** Phone numbers in E.164 form. */
export const ODD_PHONES: readonly OddUsername[] = [
  { name: "Phone: 15 digits", username: "+999123456789012" },
  { name: "Phone: 14 digits", username: "+99912345678901" },
  { name: "Phone: 7 digits", username: "+9991234" },
  { name: "Phone: 8 digits", username: "+99912345" },
  { name: "Phone: one number begins another", username: "+99912345678" },
  { name: "Phone: all the same digit", username: "+999999999999999" },
  { name: "Phone: zeros", username: "+99900000000000" },
  { name: "Phone: United Kingdom", username: "+447700900000" },
  { name: "Phone: United Kingdom, last", username: "+447700900999" },
  { name: "Phone: France", username: "+33199000000" },
  { name: "Phone: Germany", username: "+493023125000" },
  { name: "Phone: Sweden", username: "+4684650040" },
  { name: "Phone: Australia", username: "+61491570006" },
  { name: "Phone: Ireland", username: "+353209120000" },
];

const longest = `${"l".repeat(64)}@${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(49)}.example.com`;

/** Email addresses. */
export const ODD_EMAILS: readonly OddUsername[] = [
  { name: "Email: 254 characters", username: longest },
  { name: "Email: as short as can be", username: "a@b.co.test" },
  { name: "Email: capitals", username: "UPPER.CASE@EXAMPLE.COM" },
  { name: "Email: mixed case", username: "MixedCase@Example.Org" },
  { name: "Email: plus", username: "user+tag@example.com" },
  { name: "Email: two pluses", username: "user+tag+more@example.com" },
  { name: "Email: without the plus", username: "user@example.com" },
  { name: "Email: begins with plus", username: "+plus@example.com" },
  { name: "Email: ends in plus", username: "user+@example.com" },
  { name: "Email: dots", username: "a.b.c.d.e@example.com" },
  { name: "Email: without the dots", username: "abcde@example.com" },
  { name: "Email: apostrophe", username: "o'brien@example.com" },
  { name: "Email: begins with an apostrophe", username: "'quoted@example.com" },
  { name: "Email: underscore", username: "_under_score_@example.com" },
  { name: "Email: dash", username: "-dash-@example.com" },
  { name: "Email: digits", username: "1234567890@example.com" },
  { name: "Email: like a phone", username: "+12025550100@example.com" },
  { name: "Email: subdomain", username: "sub@mail.example.com" },
  { name: "Email: many subdomains", username: "deep@a.b.c.d.e.f.g.example.com" },
  { name: "Email: dash in the domain", username: "dash@my-mail.example.org" },
  { name: "Email: digits in the domain", username: "digits@123.example.net" },
  { name: "Email: punycode", username: "idn@xn--bcher-kva.example" },
  { name: "Email: long top level", username: "long@mail.invalid" },
  { name: "Email: other country", username: "x@example.co.test" },
  { name: "Email: null", username: "null@example.com" },
  { name: "Email: undefined", username: "undefined@example.com" },
  { name: "Email: constructor", username: "constructor@example.com" },
  { name: "Email: __proto__", username: "__proto__@example.com" },
  { name: "Email: 64 before the sign", username: `${"m".repeat(64)}@example.net` },
  { name: "Email: the same but one letter", username: `${"m".repeat(63)}n@example.net` },
];
