/** The kinds of values that options of `start` have. */
import { delimiter } from "node:path";
import { z } from "zod";
import {
  countryCode,
  DUPLICATES,
  encodingName,
  fixtureSource,
  NO_ENCODING,
  RESTS,
} from "#contract/control/fixture-source.ts";
import { durability } from "#contract/control/status.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";

/** How an option is read. */
export interface OptionKind<T> {
  readonly schema: z.ZodType<T>;
  /** What a value must be; follows the names of the option in an error. */
  readonly rule: string;
  /** The separator of list entries in the environment. */
  readonly separator?: string | RegExp;
  /** Whether its values are paths, in which `~` is the home folder. */
  readonly isPath?: boolean;
}
const numbers = (least: number, most: number): OptionKind<number> => {
  const digits = z.string().regex(/^\d{1,15}$/);
  const schema = z
    .union([z.int().min(least).max(most), digits.transform(Number)])
    .refine((n) => n >= least && n <= most);
  return { schema, rule: `must be a whole number from ${least} to ${most}` };
};
const flag = z.union([
  z.boolean(),
  z.stringbool({ truthy: ["1", "true", "yes", "on"], falsy: ["0", "false", "no", "off"] }),
]);
/** A host name or IP address, as in a URL; brackets around IPv6 are optional and removed. */
const host = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[0-9a-f.]*:[0-9a-f:.]*|[a-z0-9]([a-z0-9_.-]{0,252}))$/i)
  .transform((text) => text.toLowerCase().replace(/^\[(.*)\]$/, "$1"));
const path = z.string().min(1);
const PORT = numbers(0, 65_535);
const FLAG = { schema: flag, rule: "must be true or false" } as const;
const FILE = { schema: path, rule: "must be a file", isPath: true } as const;
const FOLDER = { schema: path, rule: "must be a folder", isPath: true } as const;
const FILES = {
  schema: z.array(fixtureSource),
  rule: "must be files",
  separator: delimiter,
  isPath: true,
} as const;
const HOST = { schema: host, rule: "must be an IP address or a host name" } as const;
const NAMES = { schema: z.array(host), rule: "must be host names without a port", separator: /[\s,]+/ } as const;
/** Only from the environment: command lines are visible in the process list. */
const TOKEN = {
  schema: z.string().regex(/^[\x21-\x7e]{8,255}$/),
  rule: "must be 8 to 255 visible ASCII characters",
} as const;
/** An origin; a path would have to be in every link. */
const originText = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/i.test(text))
  .transform((text) => new URL(text).origin);
const ORIGIN = {
  schema: originText,
  rule: "must be an http or https URL without a path, such as https://qa.example.com",
} as const;
const TEST_ORIGINS = {
  schema: z.array(originText.refine(isLoopbackUrl)),
  rule: "must be origins on this machine, such as http://localhost:3000",
  separator: /[\s,]+/,
} as const;
const CHOICES = {
  schema: z.array(z.string().regex(/^[^=].*=/)),
  rule: 'must be "Column=field", or "Column=" to leave it out',
  separator: ";",
} as const;
const REST = { schema: z.enum(RESTS), rule: "must be metadata or drop" } as const;
const WHICH = { schema: z.enum(DUPLICATES), rule: `must be one of ${DUPLICATES.join(", ")}` } as const;
const COUNTRY = { schema: countryCode, rule: "must be the code of a country, such as US" } as const;
const ENCODING = { schema: encodingName, rule: NO_ENCODING } as const;
const DURABILITY = { schema: durability, rule: "must be process, disk or memory" } as const;

/** By what their values are. */
// biome-ignore format: a list
export const kinds = {
  numbers, flag, PORT, FLAG, FILE, FOLDER, FILES, HOST, NAMES, TOKEN, ORIGIN, TEST_ORIGINS,
  CHOICES, REST, WHICH, COUNTRY, ENCODING, DURABILITY,
} as const;
