// Stagedoor in JUnit 5: a separate app for each test. Printed by `stagedoor helper junit5`, version VERSION. Java 17.
// It finds Stagedoor by STAGEDOOR_CONSOLE_URL, which `stagedoor exec -- mvn test` sets, else at http://127.0.0.1:4012.
//
//   @ExtendWith(Stagedoor.PerTest.class) class LoginTest {
//     @Test void login(Stagedoor stagedoor) {
//       stagedoor.start("+12025550100"); // or your app requests a code, with stagedoor.appId
//       var answer = stagedoor.authenticate("+12025550100", stagedoor.code("+12025550100"));
import java.net.*;
import java.net.http.*;
import java.util.*;
import java.util.regex.*;
import org.junit.jupiter.api.extension.*;

public final class Stagedoor {
  /** A response. reason and requestId are Stagedoor's: why it was rejected, and its row in the request log. */
  public record Answer(int status, Map<String, Object> body, String reason, String requestId) {}
  /** Gives each test that has a parameter of this type an app, and deletes it after the test. Parallel tests are fine. */
  public static final class PerTest implements ParameterResolver, TestExecutionExceptionHandler, AfterEachCallback {
    private static final ExtensionContext.Namespace HERE = ExtensionContext.Namespace.create(PerTest.class);
    @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) { return parameter.getParameter().getType() == Stagedoor.class; }
    @Override public Object resolveParameter(ParameterContext parameter, ExtensionContext context) { return context.getStore(HERE).getOrComputeIfAbsent(Stagedoor.class, key -> new Stagedoor(Map.of())); }
    @Override public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
      var made = context.getStore(HERE).get(Stagedoor.class, Stagedoor.class);
      if (made != null && !made.rejected().isEmpty()) failure.addSuppressed(new AssertionError("Stagedoor rejected:\n" + made.rejected()));
      throw failure;
    }
    @Override public void afterEach(ExtensionContext context) { Optional.ofNullable(context.getStore(HERE).remove(Stagedoor.class, Stagedoor.class)).ifPresent(Stagedoor::close); }
  }
  private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();
  public String appId, secret, adminUrl, authUrl;
  public final List<Map<String, Object>> people;
  private final String own, COPIED = System.getenv("STAGEDOOR_COPIED_APP");
  private String token = env("STAGEDOOR_ACCESS_TOKEN", env("STAGEDOOR_JOIN_TOKEN", ""));
  private final Map<String, String> asked = Collections.synchronizedMap(new HashMap<>());
  /** @param app what POST apps takes, such as Map.of("strategy", "email"); empty: a copy of the only app of `exec --fixtures`, or two users. */
  public Stagedoor(Map<String, Object> app) {
    var people = List.of(Map.of("name", "Ada Lovelace", "phone", "+12025550100"), Map.of("name", "Grace Hopper", "phone", "+12025550101"));
    var body = new HashMap<>(!app.isEmpty() ? app : COPIED == null ? Map.of("profiles", people) : Map.of("copyOf", COPIED));
    body.putIfAbsent("ttlSeconds", 3600);
    var made = control("POST", "apps", body);
    own = appId = as(made.get("appId")); secret = as(made.get("secret")); this.people = as(made.get("profiles"));
    adminUrl = as(made.get("adminUrl")); authUrl = as(made.get("authUrl"));
    if (made.get("accessToken") instanceof String bound) token = bound;
  }
  /** Requests a code: status 202; 200 for a new user, who signs up at once and gets none. */
  public Answer start(String to) {
    var answer = session("POST", to, Map.of());
    if (answer.requestId() != null) asked.put(to, "&requestId=" + answer.requestId());
    return answer;
  }
  /** The newest code of this user that was not read yet, whoever requested it. Throws with the reason if none comes. */
  public String code(String to) {
    return as(control("GET", "passcodes/latest?appId=" + encoded(appId) + "&to=" + encoded(to) + "&unread=1&wait=10s" + Objects.toString(asked.remove(to), ""), null).get("code"));
  }
  /** Enters a code: the session with its token, or the error. */
  public Answer authenticate(String to, String code) { return session("PUT", to, Map.of("passcode", code)); }
  /** The token of a session, without a code; creates the user if there is none. */
  public String signIn(String to) { return as(control("POST", "sessions", Map.of("appId", appId, "to", to, "create", true)).get("token")); }
  /** Simulates a failure: fault(Map.of("method", "POST"), Map.of("status", 503), 1). */
  public void fault(Map<String, Object> match, Map<String, Object> effect, int times) { control("POST", "faults?appId=" + appId, Map.of("match", match, "effect", effect, "times", times)); }
  /** Moves this app's clock, so that codes and sessions expire. */
  public void advance(int seconds) { control("POST", "clock/advance", Map.of("appId", appId, "seconds", seconds)); }
  /** Changes settings of this app: settings(Map.of("limits", Map.of("otpPerMinute", 1))). */
  public void settings(Map<String, Object> settings) { control("PATCH", "apps/" + own, Map.of("settings", settings)); }
  /** The profile with this phone or email; null if there is none. */
  public Map<String, Object> profile(String to) {
    List<Map<String, Object>> found = as(control("GET", "profiles?appId=" + encoded(appId) + "&q=" + encoded(to), null).get("items"));
    return found.stream().filter(one -> to.equals(one.get("phone")) || to.equals(one.get("email"))).findFirst().orElse(null);
  }
  /** The requests of this app that were rejected so far, a line each. */
  public String rejected() { return as(control("GET", "requests/failed?appId=" + own, null).get("text")); }
  public void close() { control("DELETE", "apps/" + own, null); }
  private Answer session(String method, String to, Map<String, Object> more) {
    var body = new HashMap<String, Object>(Map.of("appId", appId, "user", Map.of(to.contains("@") ? "email" : "phone", to)));
    body.putAll(more);
    return call(method, authUrl + "/v1/users/session", body);
  }
  private Map<String, Object> control(String method, String path, Map<String, Object> body) {
    var answer = call(method, env("STAGEDOOR_CONSOLE_URL", "http://127.0.0.1:4012") + "/emulator/v1/" + path, body);
    if (answer.status() < 400) return answer.body();
    var why = answer.body().getOrDefault("reason", answer.reason());
    throw new AssertionError(method + " " + path + ": " + why + ": " + answer.body().getOrDefault("instruction", answer.body()));
  }
  private Answer call(String method, String url, Map<String, Object> body) {
    var request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body == null ? "" : json(body)));
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try {
      var answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      Map<String, Object> found = answer.body().isEmpty() ? new HashMap<>() : as(read(TOKEN.matcher(answer.body())));
      return new Answer(answer.statusCode(), found, answer.headers().firstValue("Emulator-Reason").orElse(null), answer.headers().firstValue("Emulator-Request-Id").orElse(null));
    } catch (java.io.IOException | InterruptedException e) {
      throw new AssertionError("Stagedoor does not respond at " + url + ". Start it with `stagedoor start`, or run the tests with `stagedoor exec`.", e);
    }
  }
  private static String env(String name, String otherwise) { return Objects.requireNonNullElse(System.getenv(name), otherwise); }
  private static String encoded(String text) { return URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8); }
  @SuppressWarnings("unchecked") private static <T> T as(Object value) { return (T) value; }
  private static String json(Object value) {
    if (value instanceof Map<?, ?> map) return "{" + String.join(",", map.entrySet().stream().map(e -> json(e.getKey()) + ":" + json(e.getValue())).toList()) + "}";
    if (value instanceof Collection<?> list) return "[" + String.join(",", list.stream().map(Stagedoor::json).toList()) + "]";
    return value instanceof String text ? '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"' : String.valueOf(value);
  }
  private static final Pattern TOKEN = Pattern.compile("[{}\\[\\]]|\"(?:[^\"\\\\]|\\\\.)*\"|[-+.\\w]+"), ESCAPE = Pattern.compile("\\\\(?:u(\\w{4})|.)");
  private static final Object END = new Object();
  private static String unescaped(MatchResult m) { return Matcher.quoteReplacement(m.group(1) == null ? m.group().translateEscapes() : Character.toString(Integer.parseInt(m.group(1), 16))); }
  /** Reads JSON, which the standard library does not: objects, lists, texts; numbers as Double. */
  private static Object read(Matcher tokens) {
    var token = tokens.find() ? tokens.group() : "nothing";
    if ("{[".contains(token)) {
      var list = new ArrayList<Object>();
      for (var one = read(tokens); one != END; one = read(tokens)) list.add(one);
      if (token.equals("[")) return list;
      var map = new LinkedHashMap<String, Object>();
      for (var at = 0; at < list.size(); at += 2) map.put(as(list.get(at)), list.get(at + 1));
      return map;
    }
    if (token.startsWith("\"")) return ESCAPE.matcher(token.substring(1, token.length() - 1)).replaceAll(Stagedoor::unescaped);
    return "}]".contains(token) ? END : token.equals("null") ? null : token.matches("true|false") ? (Object) Boolean.valueOf(token) : Double.valueOf(token);
  }
}
