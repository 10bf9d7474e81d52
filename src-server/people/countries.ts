/** Countries as rows name them: by code, calling code or name. */
import { type Home, homeOf, phoneCountries } from "./phone-rules.ts";
import { plainName } from "./plain-name.ts";

/** Codes of three letters that do not begin with those of two, which follow. */
const THREE =
  "ABWAW AGOAO ALAAX ANDAD AREAE ARMAM ATGAG AUTAT BDIBI BENBJ BESBQ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN CAFCF CHLCL CHNCN CODCD COGCG COKCK COMKM CPVCV CUWCW CYMKY DNKDK ESHEH ESTEE FLKFK FROFO FSMFM GINGN GLPGP GNBGW GNQGQ GRDGD GRLGL GUFGF GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MAFMF MDGMG MDVMV MEXMX MLTMT MNEME MNPMP MOZMZ MTQMQ MYTYT NIUNU PAKPK PLWPW PNGPG POLPL PRKKP PRTPT PRYPY PYFPF SENSN SLBSB SLVSV SPMPM SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY WLFWF";
/** Names that are none of the usual ones. */
const ALSO =
  "uk=GB england=GB scotland=GB wales=GB greatbritain=GB britain=GB holland=NL unitedstatesofamerica=US america=US korea=KR czechrepublic=CZ turkey=TR uae=AE brasil=BR";
const LANGUAGES =
  "en de fr es pt it nl sv da nb fi is pl cs sk hu ro bg el hr sr sl et lv lt uk be ru sq mk ca ga mt tr ar hi zh ja ko id vi";

/** Finds countries by what rows say; their names in many languages are made when a row first needs them. */
export class Countries {
  readonly #found = new Map<string, Home | undefined>();
  #names: ReadonlyMap<string, string> | undefined;

  /** @param text such as `DE`, `DEU`, `+49`, `0049` or `Germany`. @returns undefined if it is no country. */
  find(text: string): Home | undefined {
    if (!this.#found.has(text)) this.#found.set(text, this.#search(text.trim()));
    return this.#found.get(text);
  }

  #search(text: string): Home | undefined {
    const [, code] = /(?:^(?:00)?|\+\s?)(\d{1,4})\)?$/.exec(text) ?? [];
    if (code !== undefined) return homeOf(code);
    const own = /^[a-z]{2}$/i.test(text) ? homeOf(text) : undefined;
    if (own !== undefined) return own;
    this.#names ??= countryNames();
    return homeOf(this.#names.get(plainName(text)) ?? (/^[a-z]{3}$/i.test(text) ? text.slice(0, 2) : ""));
  }
}

const countryNames = (): ReadonlyMap<string, string> =>
  new Map([
    ...LANGUAGES.split(" ").flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: "region" });
      return phoneCountries().map((code) => [plainName(names.of(code) ?? code), code] as const);
    }),
    ...THREE.split(" ").map((codes) => [codes.slice(0, 3).toLowerCase(), codes.slice(3)] as const),
    ...ALSO.split(" ").map((both) => [both.slice(0, -3), both.slice(-2)] as const),
  ]);
