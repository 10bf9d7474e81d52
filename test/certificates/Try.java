import java.io.FileInputStream;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.*;

/** Connects to a port of loopback as if it were each of the hosts, trusting one certificate. Prints what became of each. */
class Try {
  public static void main(String[] args) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (FileInputStream file = new FileInputStream(args[0])) {
      store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    for (int i = 1; i < args.length; i++) {
      String[] target = args[i].split("=");
      Socket plain = new Socket("127.0.0.1", Integer.parseInt(target[1]));
      SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, target[0], 443, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      try {
        socket.startHandshake();
        System.out.println("accepted");
      } catch (SSLException refused) {
        System.out.println("refused");
      }
      socket.close();
    }
  }
}
