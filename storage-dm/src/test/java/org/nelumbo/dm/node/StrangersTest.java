package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.TestCertificate;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.fabric.tcp.Wire;

/**
 * Tests that connections that do not authenticate, or take very long to do so, do not keep other
 * connections out.
 */
@Timeout(60)
class StrangersTest {
  private static final long HANDSHAKE_NANOS = 600_000_000_000L;

  private final MovableTime environment = new MovableTime();
  private final List<Socket> strangers = new ArrayList<>();
  private MemoryNode node;

  /** A clock that the test advances, so that a slow machine causes no timeouts. */
  private static final class MovableTime extends ForwardingEnvironment {
    private final AtomicLong ahead = new AtomicLong();

    void move(long nanos) {
      ahead.addAndGet(nanos);
    }

    @Override
    public long nanoTime() {
      return environment.nanoTime() + ahead.get();
    }
  }

  private void start(MemoryNode.Options options) throws IOException {
    node =
        new MemoryNode(
            environment, LocalMemory.reserve(1 << 20), new NodeAddress("127.0.0.1", 0), options);
    node.start();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : strangers) {
      socket.close();
    }
    node.close();
  }

  private Socket stranger() throws IOException {
    Socket socket = new Socket(node.address().host(), node.address().port());
    strangers.add(socket);
    return socket;
  }

  /**
   * Sends single bytes with pauses, past the handshake timeout; returns the number of bytes sent
   * before the node closed the connection.
   */
  private int dribble(Socket socket, byte[] bytes) throws InterruptedException {
    for (int i = 0; i < bytes.length; i++) {
      if (i == 5) {
        awaitConnections(1);
        environment.move(HANDSHAKE_NANOS);
      }
      try {
        socket.getOutputStream().write(bytes[i]);
      } catch (IOException e) {
        return i;
      }
      Thread.sleep(20);
    }
    return bytes.length;
  }

  private void awaitConnections(int wanted) throws InterruptedException {
    while (node.connections() < wanted) {
      Thread.sleep(1);
    }
  }

  @Test
  void shouldAdmitOwnerDespiteSilentConnections() throws IOException {
    start(MemoryNode.Options.DEFAULT.withConnectionsMax(8));
    for (int i = 0; i < 300; i++) {
      stranger().getOutputStream().write(16);
      if (i % 50 == 0) {
        attach();
      }
    }
    attach();
    assertTrue(node.connections() <= ConnectionTable.STRANGERS_MAX, "" + node.connections());
    assertTrue(node.counters().refused(NodeCounters.Refusal.LIMIT) > 200);
  }

  private void attach() {
    TcpFabric.open(environment, List.of(node.address()), TcpOptions.of("owner")).close();
    TcpFabric.status(node.address(), 0, TcpOptions.of("somebody"));
  }

  @Test
  void shouldCutConnectionWithSlowHandshake() throws Exception {
    start(MemoryNode.Options.DEFAULT.withHandshakeNanos(HANDSHAKE_NANOS));
    ByteBuffer hello = Wire.buffer(4096);
    Wire.begin(hello, Wire.HELLO);
    hello.position(4096);
    Wire.end(hello);
    assertTrue(dribble(stranger(), Wire.array(hello)) < 4096);
    assertEquals(1, node.counters().refused(NodeCounters.Refusal.SILENT));
    attach();
  }

  @Test
  void shouldCutConnectionWithSlowTlsHandshake(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC", "ip:127.0.0.1");
    start(
        MemoryNode.Options.DEFAULT
            .withHandshakeNanos(HANDSHAKE_NANOS)
            .withTls(Tls.ofNode(certificate.certificate(), certificate.key())));
    byte[] hello = new byte[4096];
    System.arraycopy(new byte[] {22, 3, 1, 16, 0, 1, 0, 15, (byte) 252, 3, 3}, 0, hello, 0, 11);
    assertTrue(dribble(stranger(), hello) < 4096);
    assertEquals(1, node.counters().refused(NodeCounters.Refusal.SILENT));
    assertEquals(0, node.counters().refused(NodeCounters.Refusal.TLS));
  }

  @Test
  void shouldNotCutAttachedConnections() throws Exception {
    start(MemoryNode.Options.DEFAULT.withHandshakeNanos(HANDSHAKE_NANOS));
    try (TcpFabric fabric =
        TcpFabric.open(environment, List.of(node.address()), TcpOptions.of("owner"))) {
      stranger();
      awaitConnections(3);
      environment.move(HANDSHAKE_NANOS);
      while (node.counters().refused(NodeCounters.Refusal.SILENT) == 0) {
        Thread.sleep(1);
      }
      assertEquals(2, Integer.parseInt(node.status().replaceAll("(?s).*tions=(\\d+).*", "$1")));
      assertEquals(1, fabric.nodeCount());
    }
  }

  /** Each of the eight connections sends a heartbeat immediately. */
  @Test
  void shouldHearOnEveryConnectionThatTheOwnerLives() throws Exception {
    start(MemoryNode.Options.DEFAULT);
    try (TcpFabric fabric =
        TcpFabric.open(
            environment, List.of(node.address()), TcpOptions.of("owner").withConnections(8))) {
      for (int i = 0; i < 1_000 && node.counters().frames() < 8; i++) {
        Thread.sleep(10);
      }
      assertTrue(node.counters().frames() >= 8, "frames=" + node.counters().frames());
      assertEquals(1, fabric.nodeCount());
    }
  }
}
