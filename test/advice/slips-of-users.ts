/** What people send as the app id and the user of a session request. */
import {
  appId,
  body,
  byEmail,
  byPhone,
  hasUser,
  inside,
  isFlat,
  post,
  renamedUser,
  type Slip,
  username,
  userOf,
  withUser,
} from "./slip-parts.ts";

/** Placeholders of shells, Postman, Swift, JavaScript, Python, Android, C and people. */
// biome-ignore format: a list
const PLACEHOLDERS = [
  "undefined", "null", "NaN", "None", "(null)", "[object Object]", "{{appId}}", `$${"{APP_ID}"}`, "$APP_ID", "%APP_ID%", "<APP_ID>", "<your-app-id>",
  "#{app_id}", "{appId}", ":appId", "%s", "%@", "YOUR_APP_ID", "your app id", "process.env.APP_ID", "__APP_ID__", "@string/app_id", "xxx",
] as const;

/** See the file. */
// biome-ignore format: a table
export const APP_SLIPS: readonly Slip[] = [
  ...PLACEHOLDERS.map((placeholder) => post(`app id ${placeholder}`, appId(() => placeholder), /which is not an id: a value was not filled in/, false)),
  post("app id in capitals", appId((id) => id.toUpperCase()), /^No app “.*”\. Did you mean “.*”\?/, true),
  post("app id with blanks", appId((id) => ` ${id}\n`), /has blanks around it/, true),
  post("app id in quotes", appId((id) => `"${id}"`), /has marks around it/, true),
  post("app id with one character less", appId((id) => id.slice(0, -1)), /Did you mean/, true),
  post("app id with two characters swapped", appId((id) => `${id.slice(0, -2)}${id.slice(-1)}${id.slice(-2, -1)}`), /Did you mean/, true),
  post("app id with another separator", appId((id) => id.replaceAll("-", "_")), /Did you mean/, true),
  post("the app's name", appId((_, { name }) => name), /is the app’s name, not its id/, true),
  post("the app's secret", appId((_, { secret }) => secret), /is the app’s secret, not its id/, true),
  post("app id null", appId(() => null), /is null: it must be the app’s id/, false),
  post("app id a number", appId(() => 123), /is the number 123: it must be the app’s id/, false),
  post("app id an object", appId((id) => ({ value: id })), /“.*” is an object|was sent as/, false, { when: (world) => !isFlat(world) }),
  post("app id empty", appId(() => ""), /is blank/, false),
  post("app id of nobody", appId(() => "acme-ios"), /No app "acme-ios"\./, false),
  post("app id missing", appId(() => undefined), /The app id is missing/, false),
  ...["app_id", "appID", "AppId", "application_id", "client", "tenantId", "app"].map((name) =>
    post(`app id as ${name}`, body((all, world) => {
      const at = inside(world, all);
      delete at[world.wire.appIdField];
      at[name] = world.appId;
    }), new RegExp(`was sent as “.*${name}”; the app reads it as`), true, { when: ({ wire }) => wire.appIdField !== name }),
  ),
  post("app id in the query", (valid, world) => ({
    ...appId(() => undefined)(valid, world), path: `${valid.path}?appId=${world.appId}`,
  }), /in the query, as “appId”/, true),
  post("app id in a header", (valid, world) => ({
    ...appId(() => undefined)(valid, world), headers: { "X-App-Id": world.appId },
  }), /in the header x-app-id/, true),
  post("app id within the user", body((all, world) => {
    delete inside(world, all)[world.wire.appIdField];
    userOf(world, all).appId = world.appId;
  }), /was sent as “.*appId”; the app reads it as/, true, { when: (world) => hasUser(world) && isFlat(world) }),
  post("the whole body under data", body((all) => ({ data: all })), /“data\.|body has only “data”/, true, { when: isFlat }),
  post("without the envelope", body((all, world) => inside(world, all)), /the app reads it as “session\./, true, { when: (world) => !isFlat(world) }),
];

/** See the file. */
// biome-ignore format: a table
export const USER_SLIPS: readonly Slip[] = [
  ...["phoneNumber", "phone_number", "Phone", "PHONE", "phone-number", "mobile", "tel", "msisdn", "username", "identifier", "to"].map((name) =>
    post(`phone as ${name}`, renamedUser(name), new RegExp(`The phone was sent as “.*${name}”; it must be in`), true, byPhone)),
  ...["emailAddress", "email_address", "Email", "mail", "e-mail", "login"].map((name) =>
    post(`email as ${name}`, renamedUser(name), new RegExp(`The email was sent as “.*${name}”; it must be in`), true, byEmail)),
  post("username beside the app id", body((all, world) => {
    const at = inside(world, all);
    const field = world.wire.userField ?? "";
    at[world.strategy] = at[field][world.strategy];
    delete at[field];
  }), /it must be in “/, true, withUser),
  post("user in an array", body((all, world) => {
    const at = inside(world, all);
    const field = world.wire.userField ?? "";
    at[field] = [at[field]];
  }), /\[0\]\./, true, withUser),
  post("users", body((all, world) => {
    const at = inside(world, all);
    const field = world.wire.userField ?? "";
    at.users = [at[field]];
    delete at[field];
  }), /users\[0\]\./, true, withUser),
  post("user as a text", body((all, world) => {
    inside(world, all)[world.wire.userField ?? ""] = world[world.strategy];
  }), /was sent as “/, true, { when: ({ wire }) => wire.userField === "user" }),
  post("user as JSON in a string", body((all, world) => {
    const at = inside(world, all);
    const field = world.wire.userField ?? "";
    at[field] = JSON.stringify(at[field]);
  }), /is JSON within a string/, true, withUser),
  post("user one level down", body((all, world) => {
    const at = inside(world, all);
    const field = world.wire.userField ?? "";
    at[field] = { attributes: at[field] };
  }), /attributes\./, true, withUser),
  post("user null", body((all, world) => {
    inside(world, all)[world.wire.userField ?? ""] = null;
  }), /is null/, false, withUser),
  post("user a number", body((all, world) => {
    inside(world, all)[world.wire.userField ?? ""] = 5;
  }), /is the number 5: it must be an object/, false, withUser),
  post("nobody", username(() => undefined), /is missing: the app “.*” signs in by/, false),
  post("username null", username(() => null), /is null/, false),
  post("username empty", username(() => ""), /is an empty string/, false),
  post("username true", username(() => true), /is the boolean true/, false),
  post("username an empty array", username(() => []), /is an empty array/, false),
  post("username undefined", username(() => "undefined"), /“undefined” stands for a value that was not filled in/, false),
  post("username a template", username(() => "{{username}}"), /“\{\{username\}\}” stands for a value/, false),
  post("username an object as text", username(() => "[object Object]"), /“\[object Object\]” stands for/, false),
  post("username in an array", username((value) => [value]), /is an array: .*; it must be a string/, true),
  post("username in an object", username((value) => ({ value })), /is an object: .*; it must be a string/, true),
  post("username in quotes", username((value) => `"${value}"`), /has quotation marks within the value/, true),
  post("a Swift optional", username((value) => `Optional("${value}")`), /is a Swift optional/, true),
  post("username percent-encoded", username((value) => encodeURIComponent(value)), /is percent-encoded/, true),
  post("username with a blank before", username((value) => ` ${value}`), /begins or ends with a space/, true),
  post("username with a line break", username((value) => `${value}\n`), /begins or ends with a space/, true),
  post("username with a zero-width character", username((value) => `${value.slice(0, 3)}\u200b${value.slice(3)}`), /without width/, true),
  post("username in the query", (valid, world) => ({
    ...username(() => undefined)(valid, world), path: `${valid.path}?${world.strategy}=${encodeURIComponent(world[world.strategy])}`,
  }), /was sent in the query/, true),
  post("two usernames", username((value) => `${value},${value}`), /It has 2 values|, which/, false, byPhone),

  post("phone as a number", username((value) => Number(value)), /is the number \d+; it must be a string|is the number \d+/, true, byPhone),
  post("phone without a plus", username((value) => value.slice(1)), /no plus sign and country code/, true, byPhone),
  post("phone in national form", username((value) => value.slice(2)), /no plus sign and country code/, true, byPhone),
  post("phone of nobody in national form", username(() => "9735550199"), /“9735550199”: it must be a phone number in E\.164 form/, false, byPhone),
  post("phone with blanks", username((value) => `${value.slice(0, 5)} ${value.slice(5)}`), /more than a plus sign and digits/, true, byPhone),
  post("phone with brackets", username((value) => `${value.slice(0, 2)} (${value.slice(2, 5)}) ${value.slice(5)}`), /more than a plus sign and digits/, true, byPhone),
  post("phone with 00", username((value) => `00${value.slice(1)}`), /begins with 00/, true, byPhone),
  post("phone with tel:", username((value) => `tel:${value}`), /which/, true, byPhone),
  post("phone with whatsapp:", username((value) => `whatsapp:${value}`), /has a prefix before the number/, true, byPhone),
  post("phone with an extension", username((value) => `${value} ext. 12`), /has an extension/, true, byPhone),
  post("phone with two pluses", username((value) => `+${value}`), /more than one plus sign/, true, byPhone),
  post("phone with its country twice", username((value) => `${value.slice(0, 2)}${value}`), /has the country code \+1 twice/, true, byPhone),
  post("phone in full width", username((value) => value.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))), /full-width/, true, byPhone),
  post("phone of JavaScript", username((value) => `${value.slice(0, 2)}undefined`), /“undefined” stands for/, false, byPhone),
  post("phone of null", username((value) => `${value.slice(0, 2)}null`), /“null” stands for/, false, byPhone),
  post("an email for a phone", username((_, { email }) => email), /That is an email address; the app “.*” signs in by phone/, false, byPhone),

  post("a phone for an email", username((_, { phone }) => phone), /That is a phone number; the app “.*” signs in by email/, false, byEmail),
  post("email a number", username(() => 5), /is the number 5/, false, byEmail),
  post("email with mailto:", username((value) => `mailto:${value}`), /has a prefix before the address/, true, byEmail),
  post("email with a name", username((value) => `Ada <${value}>`), /has a name around the address/, true, byEmail),
  post("email with a blank", username((value) => value.replace("@", " @")), /has a space/, true, byEmail),
  post("email with a dot at its end", username((value) => `${value}.`), /dot or comma at its end/, true, byEmail),
  post("email with a comma", username((value) => value.replace(".com", ",com")), /comma instead of a dot/, true, byEmail),
  post("email without @", username((value) => value.replace("@", "")), /It has no @/, false, byEmail),
  post("email without a dot", username(() => "ada@localhost"), /It has no dot after the @/, false, byEmail),
];
