package org.nelumbo.dm.fabric.tcp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys from PEM files. */
final class PemFile {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN (.*)PRIVATE KEY-----([^-]*)-----END");

  private PemFile() {}

  /**
   * Reads all certificates of a file, in their order.
   *
   * @throws IOException if that fails; the message names the file and the problem
   */
  static Certificate[] certificates(Path file) throws IOException {
    try {
      byte[] bytes = read(file).getBytes(StandardCharsets.US_ASCII);
      Certificate[] found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))
              .toArray(Certificate[]::new);
      if (found.length == 0) {
        throw new IOException("there is no certificate in " + file);
      }
      return found;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          file + " does not hold certificates in PEM format: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the private key in a file.
   *
   * @param algorithm algorithm of the matching public key
   * @throws IOException if that fails; the message names the file and the problem
   */
  static PrivateKey key(Path file, String algorithm) throws IOException {
    Matcher matcher = KEY.matcher(read(file));
    if (!matcher.find()) {
      throw new IOException("there is no private key in PEM format in " + file);
    }
    if (!matcher.group(1).isEmpty()) {
      throw new IOException(
          "the private key in "
              + file
              + " is encrypted, or not in PKCS #8 format: convert it with"
              + " openssl pkcs8 -topk8 -nocrypt -in KEY -out FILE");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(2));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("the private key in " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    }
  }
}
