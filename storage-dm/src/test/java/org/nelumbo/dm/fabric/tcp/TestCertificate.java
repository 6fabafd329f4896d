package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate and its key in PEM files, created by the JDK's keytool.
 *
 * @param certificate file of the certificate, which clients also use as their trust anchor
 * @param key file of the private key
 */
public record TestCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "for-the-test";

  /**
   * Creates a certificate in a folder.
   *
   * @param algorithm key algorithm, such as {@code EC} or {@code RSA}
   * @param names subject alternative names, such as {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestCertificate make(Path folder, String algorithm, String names)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = Files.createTempFile(folder, "store", ".p12");
    Files.delete(store);
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                algorithm,
                "-alias",
                "node",
                "-dname",
                "CN=memory node",
                "-ext",
                "san=" + names,
                "-validity",
                "2",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] key = keys.getKey("node", PASSWORD.toCharArray()).getEncoded();
    return new TestCertificate(
        pem(folder, "CERTIFICATE", keys.getCertificate("node").getEncoded()),
        pem(folder, "PRIVATE KEY", key));
  }

  private static Path pem(Path folder, String what, byte[] bytes) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Path file = Files.createTempFile(folder, "nelumbo", ".pem");
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
  }
}
