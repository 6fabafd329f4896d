package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TestCertificate;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.node.MemoryNode;

/** Pools on memory nodes over TCP, through JDBC. */
@Timeout(120)
class RemotePoolTest {
  private final List<MemoryNode> nodes = new ArrayList<>();

  private void startNodes(int count, MemoryNode.Options options) throws IOException {
    for (int i = 0; i < count; i++) {
      MemoryNode node =
          new MemoryNode(
              new SystemEnvironment(), LocalMemory.reserve(64 << 20), FreshAddress.next(), options);
      node.start();
      nodes.add(node);
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private String url() {
    return nodes.stream()
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/bank?create=true"));
  }

  /** The pool has one copy, so that the data of the node is not available elsewhere. */
  @Test
  void shouldReportUnusableFileOfMemoryNode(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("cut");
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            SharedMemory.openNode(file, 32 << 20, 0),
            FreshAddress.next(),
            MemoryNode.Options.DEFAULT);
    nodes.add(node);
    node.start();
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY)");
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(4096);
      }
      SQLException e =
          assertThrows(
              SQLException.class, () -> statement.execute("INSERT INTO t VALUES (1), (2), (3)"));
      assertEquals("08006", e.getSQLState(), e.toString());
      assertTrue(e.getMessage().contains("its memory cannot be read or written"), e.getMessage());
      assertTrue(e.getMessage().contains("remove the cause"), e.getMessage());
    }
  }

  @Test
  void shouldReopenPoolWithAllRows() throws Exception {
    startNodes(3, MemoryNode.Options.DEFAULT.withSecret("sesame"));
    try (Connection connection = DriverManager.getConnection(url() + "&password=sesame")) {
      BankProcess.create(connection);
      CrashRounds.shutDown(connection);
    }
    for (MemoryNode node : nodes) {
      assertTrue(node.verbs() > 100, "nothing was put on a node");
    }
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url()).close());
    assertEquals("08001", e.getSQLState());
    assertTrue(e.getMessage().contains("the secret is wrong"), e.getMessage());
    try (Connection connection = DriverManager.getConnection(url() + "&password=sesame")) {
      assertEquals(BankProcess.ACCOUNTS, number(connection, "SELECT COUNT(*) FROM account"));
      CrashRounds.shutDown(connection);
    }
  }

  @Test
  void shouldReportNodeThatDoesNotOfferRdma() throws Exception {
    startNodes(1, MemoryNode.Options.DEFAULT);
    String byRdma = url().replace("jdbc:nelumbo://", "jdbc:nelumbo:rdma://");
    SQLException e = assertThrows(SQLException.class, () -> DriverManager.getConnection(byRdma));
    assertEquals("08001", e.getSQLState(), e.toString());
    assertTrue(e.getMessage().contains("start it with --rdma DEVICE"), e.getMessage());
    try (Connection connection = DriverManager.getConnection(url())) {
      CrashRounds.shutDown(connection);
    }
  }

  @Test
  void shouldRejectForcedRecoveryOfSingleCopy() throws Exception {
    startNodes(1, MemoryNode.Options.DEFAULT);
    try (Connection connection = DriverManager.getConnection(url())) {
      CrashRounds.shutDown(connection);
    }
    SQLException e =
        assertThrows(
            SQLException.class, () -> DriverManager.getConnection(url() + "&recover=force"));
    assertEquals("08001", e.getSQLState());
    assertTrue(
        e.getMessage().contains("recover=force is for pools with copies on memory nodes"),
        e.getMessage());
  }

  @Test
  void shouldRejectWrongPoolName() throws Exception {
    startNodes(1, MemoryNode.Options.DEFAULT);
    String other = url().replace("/bank", "/shop");
    try (Connection connection = DriverManager.getConnection(url())) {
      assertRefuses(other, "is called 'bank', not 'shop'");
      CrashRounds.shutDown(connection);
    }
    assertRefuses(other, "is called 'bank', not 'shop'");
    try (Connection connection = DriverManager.getConnection(url())) {
      CrashRounds.shutDown(connection);
    }
  }

  @Test
  void shouldRefuseANameThatIsTooLong() throws Exception {
    startNodes(1, MemoryNode.Options.DEFAULT);
    assertRefuses(url().replace("/bank", "/bank" + "-of-".repeat(12)), "at most 48 bytes");
    try (Connection connection = DriverManager.getConnection(url())) {
      CrashRounds.shutDown(connection);
    }
  }

  private static void assertRefuses(String url, String why) {
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
    assertEquals("08001", e.getSQLState());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void shouldConnectOverTlsOnlyWithTrustedCertificate(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    startNodes(
        3,
        MemoryNode.Options.DEFAULT.withTls(
            Tls.ofNode(certificate.certificate(), certificate.key())));
    assertRefuses(url(), "it requires TLS: set tls=true");
    assertRefuses(url() + "&tls=true", "is its certificate trusted");
    assertRefuses(url() + "&tls=true&tlsTrust=/no/where", "no file /no/where");
    assertRefuses(url() + "&tlsTrust=" + certificate.certificate(), "set tls=true");
    String url = url() + "&tls=true&tlsTrust=" + certificate.certificate();
    try (Connection connection = DriverManager.getConnection(url)) {
      BankProcess.create(connection);
      assertEquals(BankProcess.ACCOUNTS, number(connection, "SELECT COUNT(*) FROM account"));
      CrashRounds.shutDown(connection);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSendRowsInPlainTextOnlyWithoutTls(boolean isEncrypted, @TempDir Path folder)
      throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    Tls ofNode = Tls.ofNode(certificate.certificate(), certificate.key());
    startNodes(1, MemoryNode.Options.DEFAULT.withTls(isEncrypted ? ofNode : null));
    try (Wiretap tap = new Wiretap(nodes.get(0).address())) {
      String plain = "jdbc:nelumbo://" + tap.address + "/bank?create=true&recordCache=0";
      String tls = plain + "&tls=true&tlsTrust=" + certificate.certificate();
      try (Connection connection = DriverManager.getConnection(isEncrypted ? tls : plain)) {
        run(
            connection,
            "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(40))",
            "INSERT INTO t VALUES (1, 'a text that nobody may read')");
        CrashRounds.shutDown(connection);
      }
      assertTrue(tap.sentBytes() > 1000, "sentBytes=" + tap.sentBytes());
      assertEquals(!isEncrypted, tap.hasSent("a text that nobody may read"));
    }
  }

  /** A proxy that records the bytes that a compute node sends to a memory node. */
  private static final class Wiretap implements AutoCloseable {
    private final NodeAddress target;
    private final NodeAddress address = FreshAddress.next();
    private final ServerSocket listener =
        new ServerSocket(address.port(), 50, InetAddress.getLoopbackAddress());
    private final List<ByteArrayOutputStream> connections = new CopyOnWriteArrayList<>();

    Wiretap(NodeAddress target) throws IOException {
      this.target = target;
      Thread.ofVirtual().start(this::accept);
    }

    private void accept() {
      try {
        while (true) {
          Socket from = listener.accept();
          Socket to = new Socket(target.host(), target.port());
          ByteArrayOutputStream sent = new ByteArrayOutputStream();
          connections.add(sent);
          Thread.ofVirtual().start(() -> pass(from, to, sent));
          Thread.ofVirtual().start(() -> pass(to, from, OutputStream.nullOutputStream()));
        }
      } catch (IOException e) {
        return; // closed
      }
    }

    private static void pass(Socket from, Socket to, OutputStream copy) {
      byte[] bytes = new byte[64 << 10];
      try (from;
          to) {
        for (int count = 0; count >= 0; count = from.getInputStream().read(bytes)) {
          copy.write(bytes, 0, count);
          to.getOutputStream().write(bytes, 0, count);
        }
      } catch (IOException e) {
        return; // one side has closed its connection
      }
    }

    int sentBytes() {
      return connections.stream().mapToInt(ByteArrayOutputStream::size).sum();
    }

    boolean hasSent(String text) {
      return connections.stream()
          .anyMatch(sent -> sent.toString(StandardCharsets.ISO_8859_1).contains(text));
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  @Test
  void shouldNameFailedMemoryNode() throws Exception {
    startNodes(2, MemoryNode.Options.DEFAULT);
    try (Connection connection = DriverManager.getConnection(url() + "&replicas=1&recordCache=0")) {
      BankProcess.create(connection);
      nodes.get(1).close();
      SQLException e =
          assertThrows(
              SQLException.class,
              () -> {
                for (int i = 0; i < 1000; i++) {
                  number(connection, "SELECT balance FROM account WHERE id = " + i);
                }
              });
      assertEquals("08006", e.getSQLState());
      assertTrue(e.getMessage().contains(nodes.get(1).address().toString()), e.getMessage());
    }
  }

  @Test
  void shouldLoseNoAcknowledgedCommitWhenAComputeNodeIsKilled() throws Exception {
    startNodes(3, MemoryNode.Options.DEFAULT);
    CrashRounds crashes = new CrashRounds(url(), 3);
    crashes.create();
    crashes.round();
  }
}
