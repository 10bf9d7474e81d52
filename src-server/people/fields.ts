/** The one table of names: which field of a profile a column is, whoever wrote it. */
import { frozen } from "#contract/frozen.ts";
import { plainName } from "./plain-name.ts";

/** Fields that a column can be. The parts of a name are joined. */
export const FIELDS = frozen([
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
] as const);
/** @see FIELDS */
export type Field = (typeof FIELDS)[number];

/** Names in lower case without punctuation, by field, the best first; of several columns a row takes the first with a value. */
const NAMES = frozen<Readonly<Record<Field, string>>>({
  name: `name displayname fullname realname formattedname namefullname nameformatted namedisplayname names namesdisplayname
    cn commonname contactname customername personname userfullname completename vollername vollstandigername nombrecompleto
    nomcomplet nomecompleto naam imie navn namn 氏名 名前 姓名 이름`,
  firstName: `firstname givenname namegivenname namefirstname namefirst namesgivenname first fname forename vorname prenom
    nombre voornaam fornavn fornamn`,
  lastName: `lastname familyname surname sn namefamilyname namelastname namelast namesfamilyname last lname nachname
    familienname apellido apellidos nom achternaam etternavn efternamn`,
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
    businessemail emailwork personalemail homeemail userprincipalname upn login loginname loginid username cognitousername
    preferredusername signinname signinnames logonname othermails alternateemailaddress recoveryemail email2value
    secondaryemail homesecondaryemail worksecondaryemail authenticationemail unverifiedemailaddresses emailemail
    loginmethodsemail`,
  userId: `userid useruuid uuid sub id uid localid objectid oid entryuuid guid userguid externalid externaluserid userkey
    identifier primarykey pk`,
  createdAt: `createdat created createdtime createdtimestamp creationtime creationtimestamp createtime createdate
    createddate creationdate createddatetime datecreated createdon usercreatedate usercreationtime metacreated
    metadatacreationtime registeredat registrationdate registered userregistered signupdate signedupat joinedat joindate
    datejoined timejoined whencreated createtimestamp insertedat erstelltam`,
  updatedAt: `updatedat updated updatedtime updatetime updatedate updateddate updatedon dateupdated lastupdated lastupdate
    modified modifiedat modifieddate datemodified modifiedtime lastmodified lastmodifiedat lastmodifieddate
    lastmodifieddatetime lastmodifiedtime metalastmodified userlastmodifieddate modifytimestamp whenchanged changedat geandertam`,
  testPasscode: "testpasscode fixedpasscode",
  scenario: "scenario",
});

interface Known {
  readonly field: Field;
  readonly rank: number;
}

const KNOWN = frozen<ReadonlyMap<string, Known>>(
  new Map(
    FIELDS.flatMap((field) =>
      NAMES[field].split(/\s+/).map((name, rank): [string, Known] => [plainName(name), { field, rank }]),
    ),
  ),
);

/** Names whose values are email addresses only sometimes. */
export const isLogin = (name: string): boolean =>
  /^(?:user|login|preferred|cognito|signin|logon|upn)/.test(lastPlain(name));
const lastPlain = (path: string): string => plainName(path.split(".").at(-1) ?? "");

/** Objects around the fields of a user, in exports and in answers of services. */
const AROUND = frozen<ReadonlySet<string>>(
  new Set(
    `profile attributes userattributes user users usermetadata rawusermetadata publicmetadata unsafemetadata customattributes
  traits human fields properties record node source data account person customer contact item attribute customfields
  identity`
      .split(/\s+/)
      .map(plainName),
  ),
);

/** A name that stands for a path: words between dots. */
const PATH = /^[\p{L}\p{Nd}_$:@-]+(?:[./][\p{L}\p{Nd}_$:@-]+)+$/u;

/** @returns the keys that a column's name stands for, such as `profile` and `firstName`. */
export const keysOf = (name: string): readonly string[] => (PATH.test(name) ? name.split(/[./]/) : [name]);

const withoutBrackets = (name: string): string => {
  const at = name.indexOf("[");
  return at > 0 ? name.slice(0, at).trim() : name;
};

/** @returns the names that a column is looked up by, the most exact first. */
const columnNames = (path: string): readonly string[] => {
  // `Name [displayName] Required` names the field in brackets.
  const [, bracketed] = /\[([a-z]\w+)\]/.exec(path) ?? [];
  // Without what stands in brackets, such as `[Required]`.
  const parts = keysOf(withoutBrackets(path))
    .map(plainName)
    .filter((part) => part !== "");
  const bare = parts.filter((part) => part !== "0");
  let from = 0;
  while (from < bare.length - 1 && AROUND.has(bare[from] ?? "")) from += 1;
  return [...(bracketed === undefined ? [] : [plainName(bracketed)]), bare.slice(from).join(""), parts.join("")];
};

/** @param name of a column, or a path such as `profile.firstName`. @returns its field and how good the name is, 0 is best. */
export const fieldOf = (name: string): Known | undefined => {
  // A key of our own metadata is none of the fields.
  if (/^metadata\./i.test(name) && !KNOWN.has(plainName(name))) return undefined;
  for (const one of columnNames(name)) {
    const known = KNOWN.get(one);
    if (known !== undefined) return known;
  }
  return undefined;
};
