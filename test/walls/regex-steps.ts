/**
 * How much work a backtracking matcher does for a regular expression on the worst texts that can be built for it,
 * counted in steps rather than time. Work that more than doubles with the length of the text is an attack (ReDoS).
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp";

type Node = AST.Element | AST.Alternative | AST.Pattern;
/** What has to match after a node, from an index on. */
type Next = (at: number) => boolean;

/** More steps than this per character are too many, whatever the length. */
const MOST_EACH = 400;
class TooMany extends Error {}

/** @returns how many steps a search takes, successful or not; infinity: far too many. */
const stepsOf = (pattern: AST.Pattern, flags: string, text: string): number => {
  let steps = 0;
  const single = new Map<Node, RegExp>();
  /** A character, class or set, as the engine itself understands it. */
  const fits = (node: Node, char: string | undefined): boolean => {
    let own = single.get(node);
    if (own === undefined) {
      own = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gym]/g, ""));
      single.set(node, own);
    }
    return char !== undefined && own.test(char);
  };
  const assertion = (node: AST.Assertion, at: number): boolean => {
    if (node.kind === "word") return (/\w/.test(text[at - 1] ?? "") !== /\w/.test(text[at] ?? "")) !== node.negate;
    if (node.kind === "lookahead" || node.kind === "lookbehind") {
      // Only look-behinds of one character occur.
      const from = node.kind === "lookbehind" ? at - 1 : at;
      return node.alternatives.some((one) => from >= 0 && match(one, from, () => true)) !== node.negate;
    }
    const edge = node.kind === "start" ? at === 0 : at === text.length;
    return edge || (flags.includes("m") && text[node.kind === "start" ? at - 1 : at] === "\n");
  };
  const match = (node: Node, at: number, next: Next): boolean => {
    if (++steps > MOST_EACH * (text.length + 10)) throw new TooMany();
    switch (node.type) {
      case "Alternative": {
        const from =
          (i: number): Next =>
          (here) => {
            const element = node.elements[i];
            return element === undefined ? next(here) : match(element, here, from(i + 1));
          };
        return from(0)(at);
      }
      case "Pattern":
      case "Group":
      case "CapturingGroup":
        return node.alternatives.some((one) => match(one, at, next));
      case "Quantifier": {
        const again =
          (count: number): Next =>
          (here) => {
            const more = () =>
              count < node.max && match(node.element, here, (there) => there > here && again(count + 1)(there));
            if (count < node.min) return more();
            return node.greedy ? more() || next(here) : next(here) || more();
          };
        return again(0)(at);
      }
      case "Assertion":
        return assertion(node, at) && next(at);
      case "Backreference":
        throw new Error("a backreference cannot be counted");
      default:
        return fits(node, text[at]) && next(at + 1);
    }
  };
  const anchored = pattern.alternatives.every(
    ({ elements: [first] }) => first?.type === "Assertion" && first.kind === "start",
  );
  const starts = flags.includes("y") || (anchored && !flags.includes("m")) ? 1 : text.length + 1;
  try {
    for (let start = 0; start < starts; start++) if (match(pattern, start, () => true)) break;
  } catch (error) {
    if (error instanceof TooMany) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return steps;
};

/** Characters for the texts: those of the expression, and one of each common kind. */
const alphabetOf = (pattern: AST.Pattern): string[] => [
  ...new Set([...pattern.raw.replace(/[\\^$()[\]{}|?*+]/g, ""), ...'a0A_ -.:"\\\n\té']),
];

/** @returns a text that the node matches. */
const sample = (node: Node, alphabet: readonly string[], flags: string): string => {
  switch (node.type) {
    case "Alternative":
      return node.elements.map((element) => sample(element, alphabet, flags)).join("");
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return node.alternatives[0] === undefined ? "" : sample(node.alternatives[0], alphabet, flags);
    case "Quantifier":
      return sample(node.element, alphabet, flags).repeat(Math.max(1, node.min));
    case "Assertion":
    case "Backreference":
      return "";
    default: {
      const one = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gym]/g, ""));
      return alphabet.find((char) => one.test(char)) ?? "";
    }
  }
};

/** Texts of repeated pieces: after what leads to a repetition, before what stops it. */
const attacksOn = (pattern: AST.Pattern, flags: string): ((length: number) => string)[] => {
  const alphabet = alphabetOf(pattern);
  // A search for what stands at the end begins anew behind what cannot stand at the beginning.
  const prefixes = new Set(["", "\u0000"]);
  const pieces = new Set(alphabet);
  const walk = (node: Node, before: string): void => {
    if (node.type === "Quantifier") {
      prefixes.add(before);
      pieces.add(sample(node.element, alphabet, flags));
      walk(node.element, before);
    } else if (node.type === "Alternative") {
      let so = before;
      for (const element of node.elements) {
        walk(element, so);
        so += sample(element, alphabet, flags);
        pieces.add(so);
        // A search that begins at a word may begin anew after each of these.
        if (pattern.raw.includes("\\b")) for (const end of "- .") pieces.add(so + end);
      }
    } else if ("alternatives" in node) for (const one of node.alternatives) walk(one, before);
  };
  walk(pattern, "");
  pieces.delete("");
  return [...prefixes].flatMap((prefix) =>
    [...pieces].flatMap((piece) =>
      ["\u0000", ""].map((end) => (length: number) => prefix + piece.repeat(Math.ceil(length / piece.length)) + end),
    ),
  );
};

/** Long enough to exhaust a bounded repetition (up to 255 here). */
const LENGTH = 300;

/** @returns a text, shortened, for which work grows faster than length; undefined if none was found. */
export const attackOn = (source: string, flags: string): string | undefined => {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes("u") });
  for (const attack of attacksOn(pattern, flags)) {
    const [short, long] = [attack(LENGTH), attack(2 * LENGTH)];
    const once = stepsOf(pattern, flags, short);
    if (once === Number.POSITIVE_INFINITY) return attack(3);
    if (once > 4 * short.length && stepsOf(pattern, flags, long) > 2.8 * once) return attack(3);
  }
  return undefined;
};
