/** Common names and cities for generated users. `native/plain`: as written, and in plain letters for an email. */

import type { Locale } from "#contract/control/generate.ts";
import { frozen } from "#contract/frozen.ts";

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

// biome-ignore format: a table
export const NAMES = frozen<Readonly<Record<Locale, Names>>>({
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
});
