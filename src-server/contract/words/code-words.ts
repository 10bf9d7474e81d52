/** Codes as people read them, the same in the console and in the desktop app. */

/** @returns the digits in groups of three, or of four where that divides evenly. */
export const groups = (code: string): string[] => {
  const parts = code.length % 3 === 0 || code.length % 4 !== 0 ? /.{1,3}/g : /.{1,4}/g;
  return code.match(parts) ?? [code];
};
