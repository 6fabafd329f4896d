package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.node.NodeCounters;
import org.nelumbo.dm.pool.PoolOpenException;

/** Tests that compute node and memory node prove to each other that they have the same secret. */
@Timeout(120)
class MutualProofTest {
  private static final String SECRET = "a secret of some length";
  @TempDir private Path folder;
  private final SystemEnvironment environment = new SystemEnvironment();
  private MemoryNode node;

  private void start(MemoryNode.Options options) throws IOException {
    node =
        new MemoryNode(
            environment, LocalMemory.reserve(1 << 20), new NodeAddress("127.0.0.1", 0), options);
    node.start();
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
  }

  private void attach(NodeAddress to, Secrets secrets, Tls tls) {
    TcpFabric.open(environment, List.of(to), TcpOptions.of("me").withSecrets(secrets).withTls(tls))
        .close();
  }

  private String whyNot(NodeAddress to, Secrets secrets, Tls tls) {
    return assertThrows(PoolOpenException.class, () -> attach(to, secrets, tls)).getMessage();
  }

  /** Modifies frames of a given type on their way. */
  private interface Forger {
    void forge(byte type, ByteBuffer frame);
  }

  /** A proxy between compute node and memory node that forwards frames and can modify them. */
  private final class Middleman implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Forger forger;
    private final Tls ofNode;
    private final Tls ofClient;

    Middleman(Forger forger, Tls ofNode, Tls ofClient) throws IOException {
      this.forger = forger;
      this.ofNode = ofNode;
      this.ofClient = ofClient;
      environment.thread("middleman", this::accept).start();
    }

    NodeAddress address() {
      return new NodeAddress("127.0.0.1", listener.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          Socket here = listener.accept();
          environment.thread("middleman", () -> join(here)).start();
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void join(Socket here) {
      try (here;
          Socket there = new Socket(node.address().host(), node.address().port())) {
        Socket left = ofNode == null ? here : ofNode.serve(here, null);
        Socket right = ofClient == null ? there : ofClient.connect(there, node.address());
        Thread back = environment.thread("middleman", () -> pass(right, left));
        back.start();
        pass(left, right);
        back.join();
      } catch (IOException | InterruptedException e) {
        // one side has closed its connection
      }
    }

    private void pass(Socket from, Socket to) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        while (true) {
          byte[] length = in.readNBytes(4);
          if (length.length < 4) {
            return;
          }
          int bytes = Wire.buffer(4).put(0, length).getInt(0);
          ByteBuffer frame = Wire.buffer(bytes).put(length).put(in.readNBytes(bytes - 4));
          forger.forge(frame.get(Wire.TYPE_OFFSET), frame);
          out.write(Wire.array(frame));
        }
      } catch (IOException e) {
        // one side has closed its connection
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  @Test
  void shouldAttachWithOneSecretOnBothSides() throws IOException {
    start(MemoryNode.Options.DEFAULT.withSecret(SECRET));
    attach(node.address(), Secrets.of(SECRET), null);
    assertTrue(whyNot(node.address(), Secrets.of("another"), null).contains("secret is wrong"));
    assertTrue(whyNot(node.address(), Secrets.NONE, null).contains("secret is wrong"));
    assertEquals(2, node.counters().refused(NodeCounters.Refusal.SECRET));
  }

  @Test
  void shouldNotTrustANodeWithoutTheSecret() throws IOException {
    start(MemoryNode.Options.DEFAULT);
    String why = whyNot(node.address(), Secrets.of(SECRET), null);
    assertTrue(why.contains("demands no secret, and so cannot prove"), why);
  }

  /** The node accepts every proof, because it does not have the secret. */
  @Test
  void shouldRejectNodeThatAcceptsEveryProof() throws IOException {
    start(MemoryNode.Options.DEFAULT);
    Forger credulous =
        (type, frame) -> {
          if (type == Wire.WELCOME) {
            frame.putLong(frame.capacity() - 8, Wire.SECRET_DEMANDED);
          } else if (type == Wire.ATTACH) {
            frame.put(Wire.HEADER_LENGTH, new byte[Wire.PROOF_LENGTH]);
          }
        };
    try (Middleman fake = new Middleman(credulous, null, null)) {
      String why = whyNot(fake.address(), Secrets.of(SECRET), null);
      assertTrue(why.contains("cannot prove the secret that it demands"), why);
    }
  }

  /**
   * Each byte of the handshake is covered by the proof, in both directions: any change makes it
   * fail. Lengths and types of frames are not changed.
   */
  @Test
  void shouldRejectHandshakeWithAnyModifiedByte() throws IOException {
    start(MemoryNode.Options.DEFAULT.withSecret(SECRET));
    Secrets secrets = Secrets.of(SECRET);
    record Place(byte type, int offset) {}
    Set<Byte> handshake = Set.of(Wire.HELLO, Wire.WELCOME, Wire.ATTACH, Wire.ATTACHED);
    Set<Place> places = Collections.synchronizedSet(new LinkedHashSet<>());
    Forger recorder =
        (type, frame) -> {
          for (int offset = Wire.TYPE_OFFSET + 1; offset < frame.capacity(); offset++) {
            if (handshake.contains(type)) {
              places.add(new Place(type, offset));
            }
          }
        };
    try (Middleman middleman = new Middleman(recorder, null, null)) {
      attach(middleman.address(), secrets, null);
    }
    assertEquals(
        handshake, places.stream().map(Place::type).collect(Collectors.toUnmodifiableSet()));
    for (Place place : places) {
      AtomicInteger forged = new AtomicInteger();
      Forger forger =
          (type, frame) -> {
            if (type == place.type()) {
              frame.put(place.offset(), (byte) (frame.get(place.offset()) ^ 1));
              forged.incrementAndGet();
            }
          };
      try (Middleman middleman = new Middleman(forger, null, null)) {
        String why = whyNot(middleman.address(), secrets, null);
        boolean isVersion =
            place.type() == Wire.HELLO
                && place.offset() >= Wire.HEADER_LENGTH
                && place.offset() < Wire.HEADER_LENGTH + 2 * Integer.BYTES;
        assertTrue(why.contains(isVersion ? "protocol" : "secret"), place + ": " + why);
        assertEquals(1, forged.get());
      }
    }
  }

  /**
   * A man in the middle with its own certificate, even a trusted one, cannot forward the proofs.
   */
  @Test
  void shouldBindTheProofToTheEncryptedChannel() throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    Tls ofNode = Tls.ofNode(certificate.certificate(), certificate.key());
    Tls ofClient = Tls.ofClient(certificate.certificate());
    start(MemoryNode.Options.DEFAULT.withSecret(SECRET).withTls(ofNode));
    attach(node.address(), Secrets.of(SECRET), ofClient);
    try (Middleman middleman = new Middleman((type, frame) -> {}, ofNode, ofClient)) {
      String why = whyNot(middleman.address(), Secrets.of(SECRET), ofClient);
      assertTrue(why.contains("the secret is wrong"), why);
    }
  }

  @Test
  void shouldReportVersionMismatchToOlderClient() throws IOException {
    start(MemoryNode.Options.DEFAULT);
    try (Socket socket = new Socket(node.address().host(), node.address().port())) {
      ByteBuffer hello = Wire.buffer(64);
      Wire.begin(hello, Wire.HELLO);
      hello.putInt(Wire.MAGIC).putInt(1);
      Wire.end(hello);
      socket.getOutputStream().write(Wire.array(hello), 0, hello.limit());
      byte[] header = socket.getInputStream().readNBytes(Wire.HEADER_LENGTH);
      assertEquals(Wire.REFUSED, header[Wire.TYPE_OFFSET]);
      String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(said.contains("speaks protocol version 6, not 1"), said);
    }
    assertEquals(1, node.counters().refused(NodeCounters.Refusal.VERSION));
  }

  @Test
  void shouldChangeTheSecretWhileAllAreRunning() throws IOException {
    Path ofNode = Files.writeString(folder.resolve("node"), "the old secret 1234\n");
    Path ofClient = Files.writeString(folder.resolve("client"), "the old secret 1234");
    start(MemoryNode.Options.DEFAULT.withSecrets(Secrets.ofFile(ofNode)));
    Secrets client = Secrets.ofFile(ofClient);
    attach(node.address(), client, null);
    Files.writeString(ofClient, "the new secret 5678\nthe old secret 1234\n");
    attach(node.address(), client, null);
    Files.writeString(ofNode, "the new secret 5678\nthe old secret 1234\n");
    attach(node.address(), client, null);
    Files.writeString(ofClient, "the old secret 1234\n");
    attach(node.address(), client, null);
    Files.writeString(ofNode, "the new secret 5678\n");
    assertTrue(whyNot(node.address(), client, null).contains("the secret is wrong"));
    Files.writeString(ofClient, "the new secret 5678\n");
    attach(node.address(), client, null);
    Files.delete(ofNode);
    attach(node.address(), client, null);
    Files.writeString(ofNode, "\n");
    attach(node.address(), client, null);
  }

  @Test
  void shouldRejectMoreThanTwoSecrets() throws IOException {
    Path file = Files.writeString(folder.resolve("three"), "one\ntwo\nthree\n");
    String why = assertThrows(IOException.class, () -> Secrets.ofFile(file)).getMessage();
    assertTrue(why.contains(file + " has 3"), why);
    assertTrue(Secrets.of("fifteen letters").isWeak());
    assertFalse(Secrets.of("sixteen letters!").isWeak());
    assertFalse(Secrets.of(SECRET).toString().contains("secret of"));
  }

  /**
   * The key is derived at a high cost, differs between nodes and between secrets, and is cached.
   */
  @Test
  void shouldMakeAKeyOfSecretAndSalt() {
    Secrets secrets = Secrets.of(SECRET);
    byte[] salt = new byte[Wire.SALT_LENGTH];
    byte[] key = secrets.key(SECRET, salt);
    assertTrue(key == secrets.key(SECRET, salt.clone()));
    assertArrayEquals(key, Secrets.of(SECRET).key(SECRET, salt));
    salt[0] = 1;
    assertFalse(java.util.Arrays.equals(key, secrets.key(SECRET, salt)));
  }
}
