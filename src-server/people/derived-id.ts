/** A user id for a row without one: the same for the same data. */

/** FNV-1a with 32 bits, from a start. */
const hashOf = (text: string, start: number): number => {
  let hash = 2_166_136_261 ^ start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0;
};

const hex = (n: number): string => n.toString(16).padStart(8, "0");

/** @returns a UUID of version 8 (RFC 9562), made of the text. */
export const idFor = (text: string): string => {
  const digits = [1, 2, 3, 4].map((start) => hex(hashOf(text, Math.imul(start, 0x9e3779b1)))).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
};
