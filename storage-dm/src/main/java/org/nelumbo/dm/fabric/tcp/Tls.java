package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS 1.3 for connections to memory nodes: encrypts them, and shows that a memory node is the one
 * that its host name says. Whether the compute node may attach is a matter of the secret, as
 * without TLS. Thread-safe.
 */
public final class Tls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;

  private Tls(SSLContext context) {
    this.context = context;
  }

  /**
   * For a memory node.
   *
   * @param certificates its certificate, then those that signed it, in PEM format
   * @param key its private key, PKCS #8 in PEM format
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofNode(Path certificates, Path key) throws IOException {
    Certificate[] chain = PemFile.certificates(certificates);
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "node", PemFile.key(key, chain[0].getPublicKey().getAlgorithm()), NO_PASSWORD, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return new Tls(context);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          certificates + " and " + key + " cannot be used for TLS: " + e.getMessage(), e);
    }
  }

  /**
   * For a compute node.
   *
   * @param trusted the certificates to trust, in PEM format; null for those the JVM trusts
   * @throws IOException if they cannot be read or used: the message names the file
   */
  public static Tls ofClient(Path trusted) throws IOException {
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
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return new Tls(context);
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
   * The memory node's side of a connection, after it has been agreed on.
   *
   * @throws SSLException if the other side does not speak TLS, wants no more, or is gone meanwhile
   */
  public SSLSocket serve(Socket connected) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(connected, null, true);
    socket.setEnabledProtocols(PROTOCOLS);
    return agreed(socket);
  }

  /**
   * The compute node's side of a connection, after it has been agreed on.
   *
   * @throws SSLException if the other side is not who it should be, does not speak TLS, or is gone
   *     meanwhile
   */
  SSLSocket connect(Socket connected, NodeAddress address) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(connected, address.host(), address.port(), true);
    socket.setEnabledProtocols(PROTOCOLS);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    return agreed(socket);
  }

  /**
   * Does the TLS handshake. A connection that is lost meanwhile counts as refused: a peer that
   * gives up may be gone before it has read everything.
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
