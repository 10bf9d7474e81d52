/** Texts as a search compares them: `jurgen` finds Jürgen, `Straße` finds Strasse, `O'Neil` finds O’Neil. */

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
};
const ASCII = /^[ -~]*$/;
const MARKS = /[\u0300-\u036f]/g;
const APOSTROPHES = /['`\u00b4\u02b9\u02bb\u02bc\u02bd\u2018\u2019\u201b\u2032\uff07]/g;

/** @returns the text in lower case without accents, ligatures, strokes and apostrophes. */
export const searchFold = (text: string): string => {
  const plain = text.toLowerCase();
  if (ASCII.test(plain)) return plain.includes("'") || plain.includes("`") ? plain.replaceAll(/['`]/g, "") : plain;
  return plain
    .replaceAll(APOSTROPHES, "")
    .normalize("NFKD")
    .replaceAll(MARKS, "")
    .replaceAll(/[ßæœøłđðþħŧı]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC");
};

/** @returns whether a text contains what is sought, as a search compares them. An apostrophe alone is sought as it is. */
export const finds = (sought: string): ((text: string) => boolean) => {
  const folded = searchFold(sought);
  const plain = sought.toLowerCase();
  return folded === "" ? (text) => text.toLowerCase().includes(plain) : (text) => searchFold(text).includes(folded);
};
