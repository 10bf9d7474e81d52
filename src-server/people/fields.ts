/** The one table of names: which field of a profile a column is, whoever wrote it. */
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import { isAddress, plainName } from "./values.ts";

/**
 * Fields that a column can be. The parts of a name are joined; of a login each value goes by what it is; a country is
 * that of the row's phone.
 */
export const FIELDS = [
  "name",
  "firstName",
  "lastName",
  "phone",
  "email",
  "userId",
  "createdAt",
  "updatedAt",
  "testPasscode",
  "scenario",
  "login",
  "country",
] as const;
export type Field = (typeof FIELDS)[number];

/** Names in lower case without punctuation, by field, the best first; of several columns a row takes the first with a value. */
const NAMES: Readonly<Record<Field, string>> = {
  name: `name displayname fullname realname formattedname namefullname nameformatted namedisplayname names namesdisplayname
    cn commonname contactname customername personname userfullname completename vollername vollstandigername nombrecompleto
    nombreyapellidos nomcomplet nometprenom nomecompleto nomecognome naam volledigenaam imieinazwisko jmenoaprijmeni
    navn namn fulltnavn nimi nafn ime imeiprezime nume numecomplet nev teljesnev vardas vards emri adsoyad adisoyadi isim
    nama namalengkap hoten hovaten ten имя фио полноеимя імя піб име όνομα ονοματεπώνυμο ονομα الاسم الاسمالكامل اسم
    नाम पूरानाम 氏名 名前 お名前 姓名 名字 이름 성명 성함`,
  firstName: `firstname givenname namegivenname namefirstname namefirst namesgivenname first fname forename vorname prenom
    nombre voornaam fornavn fornamn nome imie jmeno meno keresztnev prenume etunimi eesnimi eiginnafn namadepan
    الاسمالاول 名 下の名前`,
  lastName: `lastname familyname surname sn namefamilyname namelastname namelast namesfamilyname last lname nachname
    familienname apellido apellidos nom achternaam etternavn efternavn efternamn cognome cognoms sobrenome apelido nazwisko
    prijmeni priezvisko vezeteknev sukunimi perekonnanimi prezime priimek pavarde uzvards soyad soyadi namabelakang ho
    фамилия прізвище επώνυμο επωνυμο اسمالعائلة 姓 苗字 성`,
  phone: `phone phonenumber phonenumbers phones primaryphonenumber mobile mobilephone mobilenumber mobilephonenumber
    primaryphone phone1value phonevalue phonenumbervalue phonenumbersvalue phonesvalue phonenumbersphonenumber
    phonenumberscanonicalform phone1 mobile1 cell cellphone cellphonenumber cellnumber telephone telephonenumber
    telephonenumbers tel telno phoneno mobileno msisdn smsnumber smsphonenumber contactnumber contactphone userphone
    verifiedphonenumbers telefon telefonnummer telefonnr telefono mobil mobilnummer mobiltelefon handy
    handynummer movil celular portable teléfono mobiel gsm whatsapp 電話番号 電話 手机 手机号 전화번호 businessphones
    businessphone workphone worknumber officephone homephone phone2value authenticationphone recoveryphone
    alternativephone authenticationalternativephonenumber unverifiedphonenumbers phonephone phonee164
    loginmethodsphone`,
  email: `email emailaddress emails emailaddresses mail primaryemail primaryemailaddress useremail useremailaddress
    email1value emailvalue emailsvalue emailaddressesvalue emailaddressesemailaddress emailsaddress emailsemail email1
    email1address emailid mailaddress verifiedemailaddresses emailadresse mailadresse epost eposta epostadresse courriel
    adressemail adresseemail correo correoelectronico emailadres 邮箱 メールアドレス メール 이메일 contactemail workemail
    businessemail emailwork personalemail homeemail othermails alternateemailaddress recoveryemail email2value
    secondaryemail homesecondaryemail worksecondaryemail authenticationemail unverifiedemailaddresses emailemail
    loginmethodsemail`,
  userId: `userid useruuid uuid sub id uid localid objectid oid entryuuid guid userguid externalid externaluserid userkey
    primarykey pk`,
  createdAt: `createdat created createdtime createdtimestamp creationtime creationtimestamp createtime createdate
    createddate creationdate createddatetime datecreated createdon usercreatedate usercreationtime metacreated
    metadatacreationtime registeredat registrationdate registered userregistered signupdate signedupat joinedat joindate
    datejoined timejoined whencreated createtimestamp insertedat erstelltam`,
  updatedAt: `updatedat updated updatedtime updatetime updatedate updateddate updatedon dateupdated lastupdated lastupdate
    modified modifiedat modifieddate datemodified modifiedtime lastmodified lastmodifiedat lastmodifieddate
    lastmodifieddatetime lastmodifiedtime metalastmodified userlastmodifieddate modifytimestamp whenchanged changedat geandertam`,
  testPasscode: "testpasscode fixedpasscode",
  scenario: "scenario",
  login: `userprincipalname upn login loginname loginid username cognitousername preferredusername signinname signinnames
    logonname identifier`,
  country: `phonecountry phonecountrycode countrycode callingcode countrycallingcode dialcode diallingcode dialingcode
    phonecode country billingcountry countryiso countryname isocountry land landeskennzahl landesvorwahl landercode pays codepays pais
    codigopais paese prefissointernazionale kraj strana страна 国家 國家 国 国番号 국가 국가번호 الدولة ulke negara quocgia`,
};

interface Known {
  readonly field: Field;
  readonly rank: number;
}

const KNOWN: ReadonlyMap<string, Known> = new Map(
  FIELDS.flatMap((field) =>
    NAMES[field].split(/\s+/).map((name, rank): [string, Known] => [plainName(name), { field, rank }]),
  ),
);

/** What names of columns with phones and addresses hold in many languages, without accents; their values must fit, too. */
const STEMS = {
  phone:
    /phone|telef|teleph|^tel|tlf|mobi|movil|cell|handy|gsm|whatsapp|puhelin|ponsel|^n?o?m?o?r?hp$|talrun|sima?num|^simi|mowbajl|ffon|komork|τηλεφ|κινητ|телеф|тэлеф|мобил|мобіл|сотов|هاتف|جوال|موبايل|محمول|تلفون|فون|电话|電話|手机|手機|携帯|전화|휴대|연락처|đienthoai|फन|मबइल/u,
  email: /mail|epost|correo|courriel|sahkopost|posta|почт|пошт|имейл|邮|郵件|メール|메일|전자우편|بريد|ايميل|ईमल/u,
} as const;

/** @returns whether the name of a column speaks of phones or addresses, in whatever words. */
export const speaksOf = (name: string, what: keyof typeof STEMS): boolean =>
  STEMS[what].test(plainName(name).normalize("NFC"));

/** Objects around the fields of a user, in exports and in answers of services. */
const AROUND: ReadonlySet<string> = new Set(
  `profile attributes userattributes user users usermetadata rawusermetadata publicmetadata unsafemetadata customattributes
  traits human fields properties record node source data account person customer contact item attribute customfields
  identity`
    .split(/\s+/)
    .map(plainName),
);

/** A name that stands for a path: words between dots. */
const PATH = /^[\p{L}\p{Nd}_$:@-]+(?:[./][\p{L}\p{Nd}_$:@-]+)+$/u;

/** @returns the keys that a column's name stands for, such as `profile` and `firstName`. */
export const keysOf = (name: string): readonly string[] => (PATH.test(name) ? name.split(/[./]/) : [name]);

/** Where a qualifier begins: in any brackets, or after a dash. */
const QUALIFIER = /[([{（【［「《]|\s[-–—]\s/u;
/** Qualifiers that make something else of a name: `Phone 1 - Label`. */
const OTHER = /label|type|typ$|kind|verif|confirm|code|country|ext|status|date|consent|provider|carrier/i;

const withoutQualifier = (name: string): string => {
  const at = name.search(QUALIFIER);
  return at < 1 || OTHER.test(name.slice(at)) ? name : name.slice(0, at).trim();
};

/** @returns the names that a column is looked up by, the most exact first. */
const columnNames = (path: string): readonly string[] => {
  // `Name [displayName] Required` names the field in brackets.
  const [, bracketed] = /\[([a-z]\w+)\]/.exec(path) ?? [];
  const looked = [path, withoutQualifier(path)].flatMap((name) => {
    const parts = keysOf(name)
      .map(plainName)
      .filter((part) => part !== "");
    const bare = parts.filter((part) => part !== "0");
    let from = 0;
    while (from < bare.length - 1 && AROUND.has(bare[from] ?? "")) from += 1;
    return [bare.slice(from).join(""), parts.join("")];
  });
  return [...(bracketed === undefined ? [] : [plainName(bracketed)]), ...looked];
};

/** A row with one of these can be a user. */
const CONTACTS: ReadonlySet<string> = new Set(Object.keys(STEMS));
/** Beyond all ranks of names without a number. */
const LATER = 1_000;

/** @param name of a column, or a path such as `profile.firstName`. @returns its field and how good the name is, 0 is best. */
export const fieldOf = (name: string): Known | undefined => {
  // A key of our own metadata is none of the fields.
  if (/^metadata\./i.test(name) && !KNOWN.has(plainName(name))) return undefined;
  for (const one of columnNames(name)) {
    const known = KNOWN.get(one);
    if (known !== undefined) return known;
    // One of several: `mobile_phone_1`, `Email 2`.
    const [, base = "", number = ""] = /^(\D{3,})(\d)$/.exec(one) ?? [];
    const several = KNOWN.get(base);
    if (several !== undefined && CONTACTS.has(several.field)) return { ...several, rank: LATER + Number(number) };
  }
  return undefined;
};

/** @param name of a column. @returns whether a text in it is a phone or an address of a user. */
export const holdsContact = (name: string, text: string): boolean => {
  const field = fieldOf(name)?.field;
  if (field !== "login") return field !== undefined && CONTACTS.has(field);
  return isAddress(text) || isPhone(phoneValue(text));
};
