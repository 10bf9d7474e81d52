import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Sends requests one after the other with one of Java's clients. Prints the status of each; 0 if none came. */
class SignUps {
  static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  static int withUrlConnection(String url, String body) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    if (!body.isEmpty()) {
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      connection.getOutputStream().write(body.getBytes());
    }
    int status = connection.getResponseCode();
    // Only what was read to its end leaves a connection that can be used again.
    connection.getInputStream().readAllBytes();
    return status;
  }

  static int withClient(String url, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (!body.isEmpty())
      request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    return CLIENT.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  /** Arguments: the client, then URL and body of each request; a GET has an empty body. */
  public static void main(String[] args) throws Exception {
    for (int i = 1; i < args.length; i += 2) {
      int status = 0;
      try {
        status = args[0].equals("HttpClient") ? withClient(args[i], args[i + 1]) : withUrlConnection(args[i], args[i + 1]);
      } catch (IOException cut) {
        // No answer.
      }
      System.out.println(status);
    }
  }
}
