/** Code for a login in client languages, with the real values of an app and in its wire shape. */
import type { App } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { wireBody } from "#contract/service/wire-body.ts";

/** The id in the URL, and the name; curl is the default. */
export const LANGUAGES = [
  [null, "curl"],
  ["fetch", "fetch"],
  ["swift", "Swift"],
  ["kotlin", "Kotlin"],
  ["dart", "Dart"],
  ["react-native", "React Native"],
] as const;
type Language = NonNullable<(typeof LANGUAGES)[number][0]>;

/** @returns the language in a URL, and its name. */
export const languageOf = (id: string | null) => LANGUAGES.find(([language]) => language === id) ?? LANGUAGES[0];

interface Snippet {
  readonly baseUrl: string;
  readonly app: App;
  readonly username: string;
}

/** Stands for the code in a body, and how JSON writes it. */
const CODE = "\u0000";
const CODE_IN_JSON = '"\\u0000"';

/** Writes a body, which is JSON, as a literal of the language that has the variable `code` in it. */
type Literal = (json: string) => string;

const inScript: Literal = (json) => json.replace(CODE_IN_JSON, "code");
const inSwift: Literal = (json) => `#"${json.replace(CODE_IN_JSON, () => '"\\#(code)"')}"#`;
// biome-ignore lint/suspicious/noTemplateCurlyInString: Kotlin's own
const DOLLAR = "${'$'}";
const inKotlin: Literal = (json) =>
  `"""${json.replaceAll("$", () => DOLLAR).replace(CODE_IN_JSON, () => '"$code"')}"""`;
const inDart: Literal = (json) =>
  `'${json.replaceAll(/[$'\\](?!u0000")/g, (char) => `\\${char}`).replace(CODE_IN_JSON, () => '"$code"')}'`;

const partsOf = (literal: Literal, { baseUrl, app, username }: Snippet) => {
  const { wire } = effectiveSettings(app.settings);
  return {
    ask: literal(JSON.stringify(wireBody(wire, app, username))),
    signIn: literal(JSON.stringify(wireBody(wire, app, username, CODE))),
    asked: `${wire.signUpStatus}: a new user, signed up, with a session. 202: a code is on its way.`,
    signedIn: `${wire.authenticateStatus}: id, expiration, userId and token. 401: not this code.`,
    url: `"${baseUrl}/v1/users/session"`,
    baseUrl,
  };
};

type Write = (parts: ReturnType<typeof partsOf>) => string;

/** @param types true for TypeScript. */
const script = (head: (baseUrl: string) => string, types: boolean): Write => {
  const [text, object, response] = types ? [": string", ": object", ": Promise<Response>"] : ["", "", ""];
  return ({ ask, signIn, asked, signedIn, baseUrl }) => `${head(baseUrl)}

const call = (method${text}, body${object})${response} =>
  fetch(\`\${AUTH_URL}/v1/users/session\`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

// ${asked}
const askForCode = ()${response} =>
  call("POST", ${ask});

// ${signedIn}
const signIn = (code${text})${response} =>
  call("PUT", ${signIn});`;
};

const constUrl = (baseUrl: string): string => `const AUTH_URL = "${baseUrl}";`;

const urlByPlatform = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl)) return constUrl(baseUrl);
  const { protocol, hostname, port } = new URL(baseUrl);
  if (!["127.0.0.1", "localhost", "10.0.2.2"].includes(hostname)) return constUrl(baseUrl);
  return `import { Platform } from "react-native";

const AUTH_URL = Platform.select({
  android: "${protocol}//10.0.2.2:${port}",
  default: "${protocol}//127.0.0.1:${port}",
});`;
};

const swift: Write = ({ ask, signIn, asked, signedIn, url }) => `import Foundation  // iOS 15 or newer

func call(_ method: String, _ body: String) async throws -> (Data, Int) {
  var request = URLRequest(url: URL(string: ${url})!)
  request.httpMethod = method
  request.setValue("application/json", forHTTPHeaderField: "Content-Type")
  request.httpBody = Data(body.utf8)
  let (data, response) = try await URLSession.shared.data(for: request)
  return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
}

// ${asked}
func askForCode() async throws -> (Data, Int) {
  try await call("POST", ${ask})
}

struct Session: Decodable {
  let id: String
  let expiration: Int
  let userId: String
  let token: String
}

// ${signedIn}
func signIn(code: String) async throws -> Session {
  let (data, status) = try await call("PUT", ${signIn})
  guard (200..<300).contains(status) else { throw URLError(.userAuthenticationRequired) }
  return try JSONDecoder().decode(Session.self, from: data)
}`;

const kotlin: Write = ({ ask, signIn, asked, signedIn, url }) => `// implementation("com.squareup.okhttp3:okhttp:5.1.0")
// implementation("org.jetbrains.kotlinx:kotlinx-coroutines-android:1.10.2")
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody

private val client = OkHttpClient()

// The status and the body. Not on the main thread, which Android forbids.
private suspend fun call(method: String, body: String): Pair<Int, String> = withContext(Dispatchers.IO) {
  val json = body.toRequestBody("application/json".toMediaType())
  val request = Request.Builder().url(${url}).method(method, json).build()
  client.newCall(request).execute().use { it.code to it.body.string() }
}

// ${asked}
suspend fun askForCode() = call("POST", ${ask})

// ${signedIn}
suspend fun signIn(code: String) = call("PUT", ${signIn})`;

const dart: Write = ({ ask, signIn, asked, signedIn, url }) => `// flutter pub add http
import 'package:http/http.dart' as http;

final url = Uri.parse(${url});
const headers = {'Content-Type': 'application/json'};

// ${asked}
Future<http.Response> askForCode() =>
    http.post(url, headers: headers, body: ${ask});

// ${signedIn}
Future<http.Response> signIn(String code) =>
    http.put(url, headers: headers, body: ${signIn});`;

const WRITERS: Readonly<Record<Language, readonly [Literal, Write]>> = {
  fetch: [inScript, script(constUrl, false)],
  swift: [inSwift, swift],
  kotlin: [inKotlin, kotlin],
  dart: [inDart, dart],
  "react-native": [inScript, script(urlByPlatform, true)],
};

/** @returns the code of a login in a language. */
export const snippetIn = (language: Language, snippet: Snippet): string => {
  const [literal, write] = WRITERS[language];
  return write(partsOf(literal, snippet));
};
