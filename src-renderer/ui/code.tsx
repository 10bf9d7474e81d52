import classes from "./code.module.css";
import type { CodeLook } from "./tones.ts";

/** @returns the digits in groups: threes, or fours where that comes out even. */
export const groups = (code: string): string[] => {
  const size = code.length % 3 === 0 || code.length % 4 !== 0 ? 3 : 4;
  return code.match(new RegExp(`.{1,${size}}`, "g")) ?? [code];
};

/** A code in groups. The gap is drawn, not written: a selection that is copied holds the digits alone. */
export const Code = ({ code, look }: { readonly code: string; readonly look: CodeLook }) => (
  <span className={`mono ${classes["code"]}`} data-look={look}>
    {groups(code).map((group, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one code never move
      <span key={index} className={classes["group"]}>
        {group}
      </span>
    ))}
  </span>
);
