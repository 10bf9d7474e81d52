/** What people send as passcodes, as JSON, as headers, as paths and to admin. */
import {
  admin,
  authorization,
  body,
  byPhone,
  hasUser,
  header,
  listing,
  method,
  onProfile,
  passcode,
  passcodeGone,
  path,
  post,
  put,
  renamedCode,
  type Slip,
  text,
  type World,
} from "./slip-parts.ts";
/** See the file. */
// biome-ignore format: a table
export const CODE_SLIPS: readonly Slip[] = [
  ...["otp", "Passcode", "one_time_passcode", "verificationCode", "pin", "token", "smsCode", "password"].map((name) =>
    put(`passcode as ${name}`, renamedCode(name), new RegExp(`The passcode was sent as “.*${name}”; it must be in`), true, { when: ({ wire }) => wire.passcodeField !== name })),
  put("passcode within the user", renamedCode("passcode", "user"), /The passcode was sent as “.*passcode”; it must be in/, true, { when: ({ wire }) => hasUser({ wire } as World) && wire.passcodeField !== "user.passcode" }),
  put("passcode in the query", (valid, world) => ({ ...body(passcodeGone)(valid, world), path: `${valid.path}?code=${world.code}` }), /in the query, as “code”/, true),
  put("passcode in a header", (valid, world) => ({ ...body(passcodeGone)(valid, world), headers: { "X-OTP": world.code } }), /in the header “x-otp”/, true),
  put("no passcode", body(passcodeGone), /A PUT must have a passcode/, true),
  put("passcode null", passcode(() => null), /passcode|otp|code/i, true),
  put("passcode an array of digits", passcode((code) => [...code]), /is an array: .*; it must be a string of digits/, true),
  put("passcode in an object", passcode((code) => ({ code })), /it must be|was sent as/, true),
  put("passcode true", passcode(() => true), /is the boolean true: it must be a string of digits/, false),
  put("passcode a fraction", passcode(() => 12345.6), /is the number 12345\.6: it must be/, false),
  put("passcode with blanks", passcode((code) => ` ${code} `), /begins or ends with a space/, true),
  put("passcode in two halves", passcode((code) => `${code.slice(0, 3)}-${code.slice(3)}`), /extra characters/, true),
  put("passcode in its message", passcode((code) => `Your code is ${code}.`), /contains the correct code/, true),
  put("passcode in full width", passcode((code) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))), /full-width/, true),
  put("another passcode", passcode((code) => String((Number(code[0]) + 1) % 10) + code.slice(1)), /Received \d+, expected \d+/, true),
  put("passcode empty", passcode(() => ""), /Received an empty code, expected/, true),
  put("passcode too short", passcode((code) => code.slice(1)), /expected \d+|leading zeros/, true),
  put("passcode undefined", passcode(() => "undefined"), /Received undefined, expected/, true),
];

/** See the file. */
// biome-ignore format: a table
export const JSON_SLIPS: readonly Slip[] = [
  post("a trailing comma", text((json) => `${json.slice(0, -1)},}`), /line 1, column \d+: a trailing comma/, true),
  post("a comment", text((json) => `// the app\n${json}`), /line 1, column 1: JSON has no comments/, true),
  post("single quotes", text((json) => json.replaceAll('"', "'")), /line 1, column 2: “'” is not a JSON quotation mark/, true),
  post("unquoted names", text((json) => json.replace(/"(\w+)":/g, "$1:")), /must be in double quotes/, true),
  post("smart quotes", text((json) => json.replaceAll('"', "”")), /is not a JSON quotation mark/, true),
  post("None", text((json) => `${json.slice(0, -1)},"x":None}`), /JSON writes null, not None/, true),
  post("NaN", text((json) => `${json.slice(0, -1)},"x":NaN}`), /JSON has no NaN/, true),
  post("undefined in JSON", text((json) => `${json.slice(0, -1)},"x":undefined}`), /JSON has no undefined/, true),
  post("quotes of cmd.exe", text((json) => `'${json}'`), /single quotes, as cmd\.exe/, true),
  post("escaped quotes", text((json) => json.replaceAll('"', '\\"')), /a backslash stands before a quotation mark/, true),
  post("JSON in a string", text((json) => JSON.stringify(json)), /JSON within a string/, true),
  post("an array of one", text((json) => `[${json}]`), /a JSON array/, true),
  post("cut off", text((json) => json.slice(0, -3)), /the text ends here|has no closing quote/, false),
  post("twice", text((json) => `${json}${json}`), /the JSON ends before/, false),
  post("a template in JSON", text((json) => json.replace(/"[^"]*"(?=\}+$)/, "{{username}}")), /“\{\{username\}\}” is a placeholder/, false),
  post("an object as text in the body", text(() => "[object Object]"), /use JSON\.stringify/, false),
  post("UTF-16", text((json) => Buffer.from(json, "utf16le")), /UTF-16/, false),
  post("Latin-1", text((json) => Buffer.from(`${json.slice(0, -1)},"x":"Renée"}`, "latin1")), /0xe9, as in Latin-1/, false),
  post("a form as JSON", text((_, { appId, strategy, ...world }) => new URLSearchParams({ appId, [`user[${strategy}]`]: world[strategy] }).toString()), /the body is a form/, true, {
    when: ({ wire }) => wire.appIdField === "appId" && wire.userField === "user" && wire.envelope === null,
  }),
];

/** See the file. */
// biome-ignore format: a table
export const REQUEST_SLIPS: readonly Slip[] = [
  post("text/plain", header("Content-Type", "text/plain;charset=UTF-8"), /The Content-Type is “text\/plain;charset=UTF-8”/, false),
  post("a form's type", header("Content-Type", "application/x-www-form-urlencoded"), /The Content-Type is “application\/x-www-form-urlencoded”/, false),
  post("another charset", header("Content-Type", "application/json; charset=iso-8859-1"), /charset=iso-8859-1/, false),
  post("compressed", header("Content-Encoding", "gzip"), /The Content-Encoding is “gzip”/, false),
  post("a path with a prefix", path((own) => `/api${own}`), /starts with \/api/, true),
  post("a path without its version", path((own) => own.replace("/v1", "")), /is missing \/v1/, true),
  post("a path with two slashes", path((own) => `/${own}`), /two slashes/, true),
  post("a path in capitals", path(() => "/V1/Users/Session"), /does not exist/, true),
  post("a path in the plural", path((own) => `${own}s`), /does not exist/, true),
  post("a path with more after it", path((own) => `${own}/otp`), /has more after it/, true),
  post("a path with a blank", path((own) => `${own}%20`), /characters at its end|does not exist/, true),
  post("PATCH", method("PATCH"), /does not take PATCH\. It takes POST, PUT/, false),
  post("GraphQL", path(() => "/graphql"), /GraphQL/, false),
];

/** See the file. */
// biome-ignore format: a table
export const ADMIN_SLIPS: readonly Slip[] = [
  admin("no secret", authorization(() => undefined), /The request has no Authorization header/, false),
  admin("no scheme", authorization(({ secret }) => secret), /has no scheme/, false),
  admin("another scheme", authorization(({ secret }) => `Token ${secret}`), /has the scheme Token/, false),
  admin("Basic", authorization(({ secret }) => `Basic ${Buffer.from(`${secret}:`).toString("base64")}`), /has the scheme Basic/, false),
  admin("Bearer twice", authorization(({ secret }) => `Bearer Bearer ${secret}`), /“Bearer” twice/, false),
  admin("a quoted secret", authorization(({ secret }) => `Bearer "${secret}"`), /quotation marks or brackets/, false),
  admin("a secret in brackets", authorization(({ secret }) => `Bearer <${secret}>`), /quotation marks or brackets/, false),
  admin("a secret in capitals", authorization(({ secret }) => `Bearer ${secret.toUpperCase()}`), /upper and lower case/, false),
  admin("a secret in Base64", authorization(({ secret }) => `Bearer ${Buffer.from(secret).toString("base64")}`), /Base64/, false),
  admin("the app's id", authorization(({ appId }) => `Bearer ${appId}`), /is an app’s id, not its secret/, false),
  admin("an unfilled secret", authorization(() => "Bearer undefined"), /“undefined” after “Bearer”: a value was not filled in/, false),
  admin("a template of a secret", authorization(() => "Bearer {{secret}}"), /“\{\{secret\}\}” after “Bearer”/, false),
  admin("a token", authorization(() => "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"), /has a session token/, false),
  admin("a secret of nobody", authorization(() => "Bearer sk_live_1234567890"), /No app has the secret of the Authorization header, “sk_…” \(18 characters\)/, false),
  admin("secret in another header", (valid, world) => ({ ...authorization(() => undefined)(valid, world), headers: { "X-Api-Key": world.secret } }), /in the header x-api-key/, false),
  admin("secret in the query", (valid, world) => ({ ...authorization(() => undefined)(valid, world), path: `${valid.path}?secret=${world.secret}` }), /in the query, as “secret”/, false),
  admin("PATCH of a user", (valid, { userId }) => ({ ...valid, method: "PATCH", path: `${valid.path}/${userId}` }), /does not take PATCH/, true),
  admin("a phone for an id", onProfile(({ phone }) => encodeURIComponent(phone)), /is a user’s phone; the path takes the user’s id/, true),
  admin("an email for an id", onProfile(({ email }) => email), /is a user’s email/, true),
  admin("an id without hyphens", onProfile(({ userId }) => userId.replaceAll("-", "")), /is a UUID in another form/, true),
  admin("an id in braces", onProfile(({ userId }) => `%7B${userId}%7D`), /is a UUID in another form/, true),
  ...["undefined", "null", ":userId", "%7BuserId%7D", "%7B%7BuserId%7D%7D", "[object%20Object]"].map((id) =>
    admin(`id ${id}`, onProfile(() => id), /The id in the path is “.*”: a value was not filled in/, false)),
  admin("id me", onProfile(() => "me"), /“me”, which is not a UUID/, false),
  admin("an id of nobody", onProfile(() => "00000000-0000-4000-8000-000000000000"), /has no user with this id/, false),
  admin("page 0", listing("page=0"), /“page” in the query is “0”: it must be 1 or more \(setting list\.firstPage\)/, false),
  admin("limit 1000", listing("limit=1000"), /“limit” in the query is “1000”: it must be 100 or less \(setting list\.maxLimit\)/, false),
  admin("limit all", listing("limit=all"), /“limit” in the query is “all”: it must be a whole number/, false),
  admin("a list by phone", listing("phone=%2B12025550100"), /“\?phone” is ignored/, false, { works: true }),
  admin("a phone in national form", body((all) => ({ ...all, phone: "(973) 555-0199" })), /“phone” is “\(973\) 555-0199”: it must be a phone number in E\.164 form/, false),
  admin("a phone with blanks", body((all) => ({ ...all, phone: "+1 973 555 0199" })), /more than a plus sign and digits/, true),
  admin("an email without a dot", body((all) => ({ ...all, email: "ada@localhost" })), /It has no dot after the @/, false),
  admin("a name that is a number", body((all) => ({ ...all, name: 5 })), /“name” is the number 5: it must be a string/, false),
  admin("metadata that is a text", body((all) => ({ ...all, metadata: "a=1" })), /“metadata” is “a=1”: it must be an object/, false),
  admin("a phone that is taken", body((all, { phone }) => ({ ...all, phone })), /has already been taken\. Ada has it/, false, byPhone),
];
