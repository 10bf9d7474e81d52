/** Generates realistic users from a seed. Phone numbers are fictional (see `RANGES`), email domains from RFC 2606. */

import type { Locale } from "#contract/control/generate.ts";
import type { FixtureProfile } from "#contract/control/state.ts";

type Words = readonly [string, ...string[]];
interface Names {
  /** BCP 47. */
  readonly tag: string;
  readonly given: Words;
  readonly family: Words;
  readonly cities: Words;
}

const words = (text: string): Words => {
  const [first = "", ...rest] = text.split(",");
  return [first, ...rest];
};
const names = (tag: string, given: string, family: string, cities: string): Names => ({
  tag,
  given: words(given),
  family: words(family),
  cities: words(cities),
});

/** Common names and cities. `native/plain`: as written, and in plain letters for an email. */
// biome-ignore format: a table
const NAMES: Readonly<Record<Locale, Names>> = {
  en: names("en-US",
    "Olivia,James,Amelia,Noah,Isla,Liam,Ava,Ethan,Mia,Lucas,Grace,Henry,Sophie,Daniel,Chloe,Samuel,Ruby,Owen,Ella,Nathan,Zoe,Aaron,Hannah,Marcus,Naomi,Dylan,Priya,Omar,Leah,Victor",
    "Smith,Johnson,Williams,Brown,Jones,Taylor,Davies,Evans,Walker,Wright,Robinson,Thompson,White,Hughes,Green,Hall,Clarke,Jackson,Wood,Harris,Cooper,King,Baker,Patel,Khan,Nguyen,O'Brien,Murphy,Campbell,Reed",
    "Chicago,Boston,Seattle,Denver,Austin,Portland,Atlanta,Phoenix,Toronto,Vancouver"),
  de: names("de-DE",
    "Emma,Ben,Mia,Paul,Hannah,Leon,Lina,Finn,Clara,Jonas,Jürgen,Käthe,Björn,Günter,Annika,Matthias,Greta,Felix,Sabine,Uwe,Heike,Torsten,Ayşe/Ayse,Mehmet,Marlene,Anton",
    "Müller,Schmidt,Schneider,Fischer,Weber,Meyer,Wagner,Becker,Schulz,Hoffmann,Schäfer,Koch,Bauer,Richter,Klein,Wolf,Schröder,Neumann,Schwarz,Zimmermann,Krüger,Weiß,Yılmaz/Yilmaz,Groß",
    "Berlin,Hamburg,München,Köln,Leipzig,Dresden,Nürnberg,Bremen,Freiburg,Kiel"),
  fr: names("fr-FR",
    "Emma,Louis,Jade,Gabriel,Louise,Léo,Alice,Raphaël,Chloé,Arthur,Inès,Hugo,Zoé,Théo,Anaïs,François,Hélène,Jérôme,Camille,Loïc,Noémie,Mathis,Aïcha,Mehdi,Élodie,Benoît",
    "Martin,Bernard,Dubois,Thomas,Robert,Richard,Petit,Durand,Leroy,Moreau,Simon,Laurent,Lefèvre,Michel,Garcia,David,Bertrand,Roux,Fournier,Girard,Lemaître,Benoît,Haddad,Nguyen",
    "Paris,Lyon,Marseille,Toulouse,Nantes,Bordeaux,Lille,Rennes,Orléans,Besançon"),
  es: names("es-ES",
    "Lucía,Hugo,Sofía,Martín,María,Mateo,Paula,Daniel,Valeria,Álvaro,Carmen,Adrián,Noa,Javier,Inés,Sergio,Rocío,Íñigo,Núria,Jordi,Begoña,Ramón,Ximena,Andrés,Pilar,Iker",
    "García,Fernández,González,Rodríguez,López,Martínez,Sánchez,Pérez,Gómez,Martín,Jiménez,Ruiz,Hernández,Díaz,Moreno,Muñoz,Álvarez,Romero,Núñez,Ibáñez,Peña,Ortega,Castro,Vega",
    "Madrid,Barcelona,Valencia,Sevilla,Zaragoza,Málaga,Bilbao,A Coruña,León,Cádiz"),
  ar: names("ar",
    "محمد/mohammed,فاطمة/fatima,أحمد/ahmed,مريم/maryam,علي/ali,عائشة/aisha,عمر/omar,نور/nour,يوسف/yousef,ليلى/layla,خالد/khaled,سارة/sara,حسن/hassan,زينب/zainab,إبراهيم/ibrahim,هدى/huda,طارق/tareq,رنا/rana,سعيد/saeed,منى/mona,كريم/karim,دينا/dina",
    "حسن/hassan,العلي/alali,محمود/mahmoud,الخطيب/alkhatib,إبراهيم/ibrahim,حداد/haddad,منصور/mansour,الشامي/alshami,سليمان/suleiman,عبد الله/abdullah,النجار/alnajjar,خليل/khalil,صالح/saleh,القاسم/alqasim,يوسف/yousef,الحسيني/alhusseini,عثمان/othman,رمضان/ramadan",
    "القاهرة,الرياض,دبي,عمّان,بيروت,الدار البيضاء,تونس,الدوحة,الكويت,مسقط"),
  ja: names("ja-JP",
    "陽菜/hina,蓮/ren,結衣/yui,湊/minato,葵/aoi,大翔/hiroto,さくら/sakura,悠真/yuma,美咲/misaki,翔太/shota,花子/hanako,健太/kenta,愛/ai,拓海/takumi,七海/nanami,直樹/naoki,恵/megumi,一郎/ichiro,真由美/mayumi,亮/ryo,優子/yuko,誠/makoto",
    "佐藤/sato,鈴木/suzuki,高橋/takahashi,田中/tanaka,伊藤/ito,渡辺/watanabe,山本/yamamoto,中村/nakamura,小林/kobayashi,加藤/kato,吉田/yoshida,山田/yamada,佐々木/sasaki,山口/yamaguchi,松本/matsumoto,井上/inoue,木村/kimura,林/hayashi,清水/shimizu,斎藤/saito",
    "東京,大阪,名古屋,札幌,福岡,京都,神戸,仙台,広島,横浜"),
};

/** A range of numbers: the common digits after `+`, and how many digits follow, counting from 0. */
type Range = readonly [prefix: string, digits: number];

/** The area codes of the USA with numbers for fiction. */
const AREA_CODES =
  "201 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 319 320 321 323 325 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406 407 408 409 410 412 413 414 415 416 417 419 423 424 425 432 434 435 440 443 469 470 478 479 480 484 501 502 503 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 559 561 562 563 567 570 571 573 574 580 585 586 601 602 603 604 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630 631 636 641 646 647 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719 720 724 727 731 732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801 802 803 804 805 806 808 810 812 813 814 815 816 817 818 828 830 831 832 843 845 847 848 850 856 857 858 859 860 862 863 864 865 870 901 903 904 906 907 908 909 910 912 913 914 915 916 917 918 919 920 925 928 931 936 937 940 941 947 949 951 952 954 956 970 971 972 973 978 979 980 985 989";

// biome-ignore format: a table
// Kept for drama and fiction by the regulators; a country without such has numbers under 999, which is not given out.
const RANGES: Readonly<Partial<Record<Locale, readonly Range[]>>> = {
  // 555-0100 to 555-0199 of each area code are reserved for fiction (NANPA). 202 is used by the demo.
  en: AREA_CODES.split(" ").map((area): Range => [`1${area}55501`, 2]),
  // Bundesnetzagentur, numbers for media productions: Berlin, Hamburg, Frankfurt, Cologne, Munich.
  de: [["493023125", 3], ["494066969", 3], ["496990009", 3], ["492214710", 3], ["498999998", 3]],
  // Arcep, numbers for audiovisual works: five regions and mobile numbers.
  fr: [["3319900", 4], ["3326191", 4], ["3335301", 4], ["3346571", 4], ["3353649", 4], ["3363998", 4]],
};

/** A step coprime to the size visits each number once, with neighbours far apart. */
const stepFor = (size: number): number => {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let step = Math.max(1, Math.floor(size * 0.618));
  while (gcd(step, size) !== 1) step++;
  return step;
};

/** @param start from 0 to less than 1: where in the ranges to begin. @returns 10,000,000 distinct numbers by index. */
const phoneNumbers = (locale: Locale, start: number): ((i: number) => string) => {
  const ranges = RANGES[locale] ?? [];
  const size = ranges.reduce((sum, [, digits]) => sum + 10 ** digits, 0);
  const step = stepFor(size);
  const from = Math.floor(start * size);
  return (i) => {
    if (i >= size) return `+9995${String((Math.floor(start * 10_000_000) + i) % 10_000_000).padStart(7, "0")}`;
    let at = (from + i * step) % size;
    for (const [prefix, digits] of ranges) {
      if (at < 10 ** digits) return `+${prefix}${String(at).padStart(digits, "0")}`;
      at -= 10 ** digits;
    }
    throw new Error("The ranges do not add up.");
  };
};

const DOMAINS = ["example.com", "example.org", "example.net"] as const;
const PLANS = ["free", "free", "free", "basic", "pro"] as const;

/** Pseudorandom numbers from 0 to less than 1: mulberry32, seeded with an FNV-1a hash of the text. */
const numbersFrom = (text: string): (() => number) => {
  let state = 2_166_136_261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The local part of an email address: the name in plain letters. */
const mailbox = (given: string, family: string): string =>
  `${given}.${family}`
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD")[0] ?? ""}e`)
    .normalize("NFD")
    .replaceAll(/[^a-z.]/g, "");

/**
 * @param count from 1 to `MOST_USERS`. @param seed any text: the same seed gives the same users, and a larger count
 * starts with the same ones. @returns profiles with name, phone, email and metadata, all phones and emails distinct.
 */
export const generateUsers = (count: number, seed: string, locale: Locale): readonly FixtureProfile[] => {
  const random = numbersFrom(`${locale} ${seed}`);
  const { given, family, cities, tag } = NAMES[locale];
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
  const phones = phoneNumbers(locale, random());
  const met = new Map<string, number>();
  return Array.from({ length: count }, (_, i) => {
    const [first, firstPlain = first] = pick(given).split("/");
    const [last, lastPlain = last] = pick(family).split("/");
    const box = mailbox(firstPlain ?? "", lastPlain ?? "");
    const before = met.get(box) ?? 0;
    met.set(box, before + 1);
    return {
      name: locale === "ja" ? `${last} ${first}` : `${first} ${last}`,
      phone: phones(i),
      email: `${box}${before === 0 ? "" : before + 1}@${pick(DOMAINS)}`,
      metadata: { city: pick(cities), locale: tag, plan: pick(PLANS), newsletter: random() < 0.4 },
    };
  });
};
