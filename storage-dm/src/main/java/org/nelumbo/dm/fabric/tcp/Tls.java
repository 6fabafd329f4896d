package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS 1.3 for connections to memory nodes: it encrypts them, and verifies that a memory node has
 * the host name of its address. The compute node is authenticated by the secret, as without TLS,
 * and by its certificate if the memory node requires one. Changed files are read again, and apply
 * to later connections. Thread-safe.
 */
public final class Tls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final char[] NO_PASSWORD = {};

  /**
   * Label of the channel binding, a value that only the two ends of a channel can compute (RFC
   * 9266).
   */
  private static final String BINDING_LABEL = "EXPORTER-Channel-Binding";

  private static final int BINDING_LENGTH = 32;

  private final WatchedFiles<SSLContext> context;

  private final boolean wantsCertificate;

  private Tls(WatchedFiles<SSLContext> context, boolean wantsCertificate) {
    this.context = context;
    this.wantsCertificate = wantsCertificate;
  }

  /**
   * Creates the configuration of a memory node that accepts all compute nodes with the secret.
   *
   * @param certificates its certificate, followed by the certificates that signed it, in PEM format
   * @param key its private key, PKCS #8 in PEM format
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofNode(Path certificates, Path key) throws IOException {
    return ofNode(certificates, key, null);
  }

  /**
   * Creates the configuration of a memory node.
   *
   * @param certificates its certificate, followed by the certificates that signed it, in PEM format
   * @param key its private key, PKCS #8 in PEM format
   * @param clients certificates that compute nodes' certificates must be signed by, or equal, in
   *     PEM format; null if they need none
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofNode(Path certificates, Path key, Path clients) throws IOException {
    return new Tls(watched(certificates, key, clients), clients != null);
  }

  /**
   * Creates the configuration of a compute node without a certificate.
   *
   * @param trusted trusted certificates, in PEM format; null for those that the JVM trusts
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofClient(Path trusted) throws IOException {
    return ofClient(trusted, null, null);
  }

  /**
   * Creates the configuration of a compute node.
   *
   * @param trusted trusted certificates, in PEM format; null for those that the JVM trusts
   * @param certificates its certificate, followed by the certificates that signed it, in PEM
   *     format; null for none
   * @param key private key of that certificate, PKCS #8 in PEM format; null for none
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofClient(Path trusted, Path certificates, Path key) throws IOException {
    return new Tls(watched(certificates, key, trusted), false);
  }

  private static WatchedFiles<SSLContext> watched(Path certificates, Path key, Path trusted)
      throws IOException {
    List<Path> files = Stream.of(certificates, key, trusted).filter(Objects::nonNull).toList();
    return new WatchedFiles<>(files, () -> context(certificates, key, trusted));
  }

  private static SSLContext context(Path certificates, Path key, Path trusted) throws IOException {
    KeyManager[] keys = key == null ? null : keys(certificates, key);
    TrustManager[] trust = trust(trusted);
    try {
      SSLContext made = SSLContext.getInstance("TLS");
      made.init(keys, trust, null);
      return made;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  private static KeyManager[] keys(Path certificates, Path key) throws IOException {
    Certificate[] chain = PemFile.certificates(certificates);
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "own", PemFile.key(key, chain[0].getPublicKey().getAlgorithm()), NO_PASSWORD, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(
          certificates + " and " + key + " cannot be used for TLS: " + e.getMessage(), e);
    }
  }

  private static TrustManager[] trust(Path trusted) throws IOException {
    try {
      KeyStore store = null;
      if (trusted != null) {
        store = emptyStore();
        Certificate[] certificates = PemFile.certificates(trusted);
        for (int i = 0; i < certificates.length; i++) {
          store.setCertificateEntry("trusted-" + i, certificates[i]);
        }
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IOException(trusted + " cannot be used for TLS: " + e.getMessage(), e);
    }
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /**
   * Returns the memory node's side of a connection, after the TLS handshake.
   *
   * @param received bytes that were already read from it; null if none
   * @throws SSLException if the other side does not speak TLS, gives up, or disconnects meanwhile
   */
  public SSLSocket serve(Socket connected, InputStream received) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.current().getSocketFactory().createSocket(connected, received, true);
    socket.setEnabledProtocols(PROTOCOLS);
    socket.setNeedClientAuth(wantsCertificate);
    return agreed(socket);
  }

  /**
   * Returns the compute node's side of a connection, after the TLS handshake.
   *
   * @throws SSLException if the other side has a wrong identity, does not speak TLS, or disconnects
   *     meanwhile
   */
  SSLSocket connect(Socket connected, NodeAddress address) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .current()
                .getSocketFactory()
                .createSocket(connected, address.host(), address.port(), true);
    socket.setEnabledProtocols(PROTOCOLS);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return agreed(socket);
  }

  /**
   * Returns the channel binding of a connection, which no third party can compute; empty if it is
   * not encrypted.
   */
  public static byte[] binding(Socket spoken) throws IOException {
    return spoken instanceof SSLSocket secured
            && secured.getSession() instanceof ExtendedSSLSession session
        ? session.exportKeyingMaterialData(BINDING_LABEL, new byte[0], BINDING_LENGTH)
        : new byte[0];
  }

  /**
   * A connection that is lost meanwhile counts as refused, because a peer that gives up may close
   * before it has read everything.
   */
  private static SSLSocket agreed(SSLSocket socket) throws IOException {
    try {
      socket.startHandshake();
      return socket;
    } catch (SocketException e) {
      throw new SSLException(
          "the connection was lost before it was agreed on: " + e.getMessage(), e);
    }
  }
}
