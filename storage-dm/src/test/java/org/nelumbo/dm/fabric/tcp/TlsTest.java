package org.nelumbo.dm.fabric.tcp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.node.NodeCounters;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/** Tests encrypted connections between compute node and memory node. */
@Timeout(120)
class TlsTest {
  private static final int BYTES = 8 << 20;
  @TempDir private static Path folder;
  private static TestCertificate ours;
  private static TestCertificate elsewhere;

  private final SystemEnvironment environment = new SystemEnvironment();
  private MemoryNode node;

  @BeforeAll
  static void makeCertificates() throws Exception {
    ours = TestCertificate.make(folder, "EC", "dns:localhost,ip:127.0.0.1");
    elsewhere = TestCertificate.make(folder, "RSA", "dns:elsewhere.example");
  }

  private void start(TestCertificate certificate) throws IOException {
    MemoryNode.Options options =
        certificate == null
            ? MemoryNode.Options.DEFAULT
            : MemoryNode.Options.DEFAULT
                .withSecret("sesame")
                .withTls(Tls.ofNode(certificate.certificate(), certificate.key()));
    node =
        new MemoryNode(
            environment, LocalMemory.reserve(BYTES), new NodeAddress("127.0.0.1", 0), options);
    node.start();
  }

  @AfterEach
  void stop() {
    if (node != null) {
      node.close();
    }
  }

  private TcpOptions options(TestCertificate trusted) throws IOException {
    return TcpOptions.of("me")
        .withSecret("sesame")
        .withTls(trusted == null ? null : Tls.ofClient(trusted.certificate()));
  }

  private Fabric attach(TestCertificate trusted) throws IOException {
    return TcpFabric.open(environment, List.of(node.address()), options(trusted));
  }

  private String whyNot(TestCertificate trusted) {
    return assertThrows(PoolOpenException.class, () -> attach(trusted).close()).getMessage();
  }

  @Test
  void shouldCarryVerbsOfAnySize() throws IOException {
    start(ours);
    try (Fabric fabric = attach(ours);
        Channel channel = fabric.openChannel(4 << 20)) {
      for (int i = 0; i < 4 << 20; i += 8) {
        channel.staging().set(ValueLayout.JAVA_LONG, i, i * 31L);
      }
      channel.write(PoolAddress.of(0, 8192), 0, 4 << 20);
      channel.fetchAndAdd(PoolAddress.of(0, 8192), 5, 0);
      channel.flush();
      channel.staging().fill((byte) 0);
      channel.read(PoolAddress.of(0, 8192), 0, 4 << 20);
      channel.flush();
      assertEquals(5, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      for (int i = 8; i < 4 << 20; i += 8) {
        assertEquals(i * 31L, channel.staging().get(ValueLayout.JAVA_LONG, i));
      }
    }
    String status = TcpFabric.status(node.address(), 0, options(ours));
    assertTrue(status.contains("bytes=" + BYTES), status);
  }

  @Test
  void shouldCarryVerbsOfManyThreads() throws Exception {
    start(ours);
    try (Fabric fabric = attach(ours)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        threads.add(new Thread(() -> add(fabric, 200)));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      try (Channel channel = fabric.openChannel(8)) {
        channel.read(PoolAddress.of(0, 4096), 0, 8);
        channel.flush();
        assertEquals(800, channel.staging().get(ValueLayout.JAVA_LONG, 0));
      }
    }
  }

  private static void add(Fabric fabric, int times) {
    try (Channel channel = fabric.openChannel(8)) {
      for (int i = 0; i < times; i++) {
        channel.fetchAndAdd(PoolAddress.of(0, 4096), 1, 0);
        channel.flush();
      }
    }
  }

  @Test
  void shouldFailFlushesAfterNodeFailure() throws IOException {
    start(ours);
    try (Fabric fabric = attach(ours);
        Channel channel = fabric.openChannel(8)) {
      node.close();
      channel.read(PoolAddress.of(0, 4096), 0, 8);
      assertThrows(FabricException.class, channel::flush);
    }
  }

  @Test
  void shouldNotTalkToANodeItDoesNotTrust() throws IOException {
    start(ours);
    assertTrue(whyNot(elsewhere).contains("is its certificate trusted"), whyNot(elsewhere));
    awaitRefusal();
  }

  /** A peer may reset the connection before the node has sent its part of the handshake. */
  @Test
  void shouldCountAPeerThatResetsTheConnectionWhileItIsAgreedOn() throws IOException {
    start(ours);
    try (Socket socket = new Socket(node.address().host(), node.address().port())) {
      byte[] beginOfAHello = {22, 3, 1, 1, 0, 1, 0};
      socket.getOutputStream().write(beginOfAHello);
      socket.setSoLinger(true, 0);
    }
    awaitRefusal();
  }

  private void awaitRefusal() {
    while (node.counters().refused(NodeCounters.Refusal.TLS) == 0) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldNotTalkToANodeOfAnotherName() throws IOException {
    start(elsewhere);
    assertTrue(whyNot(elsewhere).contains("issued for this host name"), whyNot(elsewhere));
  }

  @Test
  void shouldReportTlsOnOneSideOnly() throws IOException {
    start(ours);
    assertTrue(whyNot(null).contains("refuses: it requires TLS: set tls=true"), whyNot(null));
    awaitRefusal();
    node.close();
    start(null);
    assertTrue(whyNot(ours).contains("does the node use TLS"), whyNot(ours));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 400 Bad Request\r\n\r\n"})
  void shouldNotMistakeForeignServerForTlsNode(String said) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread thread =
          environment.thread("server", () -> replyOnce(server, said.getBytes(US_ASCII)));
      thread.start();
      NodeAddress address = new NodeAddress("127.0.0.1", server.getLocalPort());
      TcpOptions options = TcpOptions.of("test");
      String why =
          assertThrows(
                  PoolOpenException.class,
                  () -> TcpFabric.open(environment, List.of(address), options))
              .getMessage();
      assertTrue(why.contains("Nelumbo memory node"), why);
      assertFalse(why.contains("TLS"), why);
    }
  }

  private static void replyOnce(ServerSocket server, byte[] said) {
    try (Socket socket = server.accept()) {
      socket.getInputStream().readNBytes(Wire.HEADER_LENGTH + 4 + 4 + Wire.NONCE_LENGTH);
      socket.getOutputStream().write(said);
    } catch (IOException e) {
      // the client has closed the connection
    }
  }

  @Test
  void shouldRejectWrongSecretOverTls() throws IOException {
    start(ours);
    TcpOptions wrong = options(ours).withSecret("open");
    String why =
        assertThrows(
                PoolOpenException.class,
                () -> TcpFabric.open(environment, List.of(node.address()), wrong))
            .getMessage();
    assertTrue(why.contains("the secret is wrong"), why);
  }

  @Test
  void shouldNameTheFileThatCannotBeUsed() throws IOException {
    Path nowhere = folder.resolve("nowhere.pem");
    Path nonsense = Files.writeString(folder.resolve("nonsense.pem"), "nonsense");
    Path old =
        Files.writeString(
            folder.resolve("old.pem"),
            "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    assertNames(nowhere, () -> Tls.ofClient(nowhere));
    assertNames(nonsense, () -> Tls.ofClient(nonsense));
    assertNames(nonsense, () -> Tls.ofNode(ours.certificate(), nonsense));
    assertNames(old, () -> Tls.ofNode(ours.certificate(), old));
    assertNames(elsewhere.key(), () -> Tls.ofNode(ours.certificate(), elsewhere.key()));
  }

  private interface Opening {
    Tls open() throws IOException;
  }

  private static void assertNames(Path file, Opening opening) {
    String why = assertThrows(IOException.class, opening::open).getMessage();
    assertTrue(why.contains(file.toString()), why);
  }

  /** The certificate files are replaced while memory node and compute node run. */
  @Test
  void shouldReadCertificatesAgainWhenTheyChange() throws Exception {
    TestCertificate next = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    Path certificate = Files.copy(ours.certificate(), folder.resolve("current.pem"));
    Path key = Files.copy(ours.key(), folder.resolve("current-key.pem"));
    Path trusted = Files.copy(ours.certificate(), folder.resolve("trusted.pem"));
    TestCertificate current = new TestCertificate(certificate, key);
    start(current);
    TcpOptions client = TcpOptions.of("me").withSecret("sesame").withTls(Tls.ofClient(trusted));
    TcpFabric.open(environment, List.of(node.address()), client).close();
    Files.writeString(certificate, "not yet whole");
    TcpFabric.open(environment, List.of(node.address()), client).close();
    Files.copy(next.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(next.key(), key, StandardCopyOption.REPLACE_EXISTING);
    assertThrows(
        PoolOpenException.class,
        () -> TcpFabric.open(environment, List.of(node.address()), client).close());
    Files.copy(next.certificate(), trusted, StandardCopyOption.REPLACE_EXISTING);
    TcpFabric.open(environment, List.of(node.address()), client).close();
  }

  @Test
  void shouldWantACertificateOfTheComputeNode() throws Exception {
    TestCertificate client = TestCertificate.make(folder, "EC", "dns:app1");
    node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(BYTES),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.withTls(
                Tls.ofNode(ours.certificate(), ours.key(), client.certificate())));
    node.start();
    for (Tls wrong :
        List.of(
            Tls.ofClient(ours.certificate()),
            Tls.ofClient(ours.certificate(), elsewhere.certificate(), elsewhere.key()))) {
      TcpOptions options = TcpOptions.of("me").withTls(wrong);
      String why =
          assertThrows(
                  PoolOpenException.class,
                  () -> TcpFabric.open(environment, List.of(node.address()), options).close())
              .getMessage();
      assertTrue(why.contains("tlsCert"), why);
    }
    Tls right = Tls.ofClient(ours.certificate(), client.certificate(), client.key());
    TcpFabric.open(environment, List.of(node.address()), TcpOptions.of("me").withTls(right))
        .close();
  }
}
