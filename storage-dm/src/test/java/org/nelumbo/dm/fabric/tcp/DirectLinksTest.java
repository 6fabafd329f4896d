package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/** Tests messages over direct connections between compute nodes. */
@Timeout(60)
class DirectLinksTest {
  private static final String OLD = "the secret of yesterday";
  private static final String NEW = "the secret of tomorrow";

  private static final long SETTLING_NANOS = 50_000_000;
  private static final long AGAIN_NANOS = 1_500_000_000L;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private MemoryNode node;
  private TcpFabric first;

  @BeforeEach
  void start() throws IOException {
    start(Secrets.NONE, "");
  }

  private void start(Secrets secrets, String said) throws IOException {
    node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.withSecrets(secrets));
    node.start();
    first = TcpFabric.open(environment, List.of(node.address()), options(said));
    first.share();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : opened.reversed()) {
      each.close();
    }
    opened.clear();
    first.close();
    node.close();
  }

  private static TcpOptions options(String secret) {
    return TcpOptions.of("member").withSecret(secret);
  }

  private TcpFabric enter(TcpOptions options) {
    TcpFabric fabric = TcpFabric.enter(environment, List.of(node.address()), options);
    opened.add(fabric);
    return fabric;
  }

  /** A compute node that records the messages it receives and their senders. */
  private final class Peer implements PeerListener {
    final TcpPeerNetwork network;
    final Set<String> heard = ConcurrentHashMap.newKeySet();

    Peer(TcpFabric fabric, int number, long incarnation) {
      network = fabric.openPeers(new PeerId(number, incarnation));
      network.listen(this);
      opened.add(network);
    }

    PeerId id() {
      return network.self();
    }

    @Override
    public void received(PeerId from, ByteBuffer message) {
      int number = message.getInt();
      boolean isWhole = true;
      for (byte expected = (byte) number; message.hasRemaining(); expected++) {
        isWhole &= message.get() == expected;
      }
      heard.add(from + " " + number + (isWhole ? "" : " damaged"));
    }

    boolean send(Peer to, int number, int length) {
      ByteBuffer message = ByteBuffer.allocate(length);
      message.putInt(number);
      for (byte next = (byte) number; message.hasRemaining(); next++) {
        message.put(next);
      }
      return network.send(to.id(), message.flip());
    }

    void sendUntilHeard(Peer to, int number) {
      await(
          () -> {
            send(to, number, 100);
            return to.heard.contains(id() + " " + number);
          },
          "message " + number + " of " + id() + " does not arrive at " + to.id());
    }
  }

  private static void await(BooleanSupplier what, String otherwise) {
    long end = System.nanoTime() + 50_000_000_000L;
    while (!what.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, otherwise);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /**
   * Exchanges messages until both compute nodes have a direct connection. A connection that is not
   * established within a second, because the machine is busy, is offered again when a message
   * arrives.
   */
  private static void meet(Peer a, Peer b) {
    a.sendUntilHeard(b, 1);
    b.sendUntilHeard(a, 1);
    long[] lastSent = {System.nanoTime()};
    await(
        () -> {
          if (System.nanoTime() - lastSent[0] > AGAIN_NANOS) {
            a.send(b, 1, 100);
            b.send(a, 1, 100);
            lastSent[0] = System.nanoTime();
          }
          return a.network.isDirect(b.id()) && b.network.isDirect(a.id());
        },
        a.id() + " and " + b.id() + " have no connection");
  }

  /** Returns the number of relayed messages, after all messages in flight have arrived. */
  private long relayedUntilThen() {
    long[] last = {relayed()};
    await(
        () -> {
          LockSupport.parkNanos(SETTLING_NANOS);
          long before = last[0];
          last[0] = relayed();
          return before == last[0];
        },
        "messages are relayed for ever");
    return last[0];
  }

  private long relayed() {
    return Long.parseLong(node.status().replaceAll("(?s).*\\bmessages=(\\d+).*", "$1"));
  }

  @Test
  void shouldSendDirectlyBetweenPeers() {
    Peer a = new Peer(first, 2, 1);
    Peer b = new Peer(enter(options("")), 3, 1);
    meet(a, b);
    long before = relayedUntilThen();
    int number = 2;
    for (int length : new int[] {4, 5, 11, 12, 13, 1000, PeerNetwork.MESSAGE_BYTES_MAX}) {
      assertTrue(a.send(b, number, length));
      assertTrue(b.send(a, number++, length));
    }
    await(() -> a.heard.size() == 8 && b.heard.size() == 8, a.heard + " " + b.heard);
    for (int i = 1; i <= 8; i++) {
      assertTrue(a.heard.contains("cn3/1 " + i) && b.heard.contains("cn2/1 " + i));
    }
    for (int i = 0; i < 200; i++) {
      a.sendUntilHeard(b, 100 + i);
    }
    assertEquals(before, relayed());
  }

  /**
   * The peer without a port is an application behind a firewall, or one configured not to listen.
   */
  @Test
  void shouldRelayIfPeerDoesNotListen() {
    Peer a = new Peer(first, 2, 1);
    Peer b = new Peer(enter(options("").withPeerPort(DirectLinks.NO_PORT)), 3, 1);
    Peer c = new Peer(enter(options("")), 4, 1);
    meet(a, c);
    a.sendUntilHeard(b, 1);
    b.sendUntilHeard(a, 1);
    b.sendUntilHeard(c, 1);
    long before = relayed();
    b.sendUntilHeard(a, 2);
    assertTrue(relayed() > before);
    assertFalse(a.network.isDirect(b.id()) || b.network.isDirect(a.id()));
  }

  /**
   * A later incarnation gets its own connection; the connection of the earlier incarnation is
   * closed.
   */
  @Test
  void shouldConnectDirectlyToLaterIncarnation() {
    Peer a = new Peer(first, 2, 1);
    TcpFabric ofB = enter(options(""));
    Peer b = new Peer(ofB, 3, 1);
    meet(a, b);
    b.network.close();
    await(() -> !a.network.isDirect(b.id()), "a connection with nobody");
    Peer later = new Peer(ofB, 3, 2);
    meet(a, later);
    assertFalse(a.network.isDirect(b.id()));
    a.network.close();
    await(() -> !later.network.isDirect(a.id()), "a connection with nobody");
    Peer laterA = new Peer(first, 2, 2);
    meet(later, laterA);
  }

  @Test
  void shouldEndWithTheTenancy() {
    Peer a = new Peer(first, 2, 1);
    TcpFabric ofB = enter(options(""));
    Peer b = new Peer(ofB, 3, 1);
    meet(a, b);
    first.fence(ofB.tenant());
    await(() -> !b.network.isDirect(a.id()) && !b.send(a, 2, 8), "the fenced one can still send");
    await(() -> !a.network.isDirect(b.id()), "the fenced one is still reached");
  }

  /** The compute nodes use different secrets, both of which the memory node accepts. */
  @Test
  void shouldWantTheSameSecret(@TempDir Path folder) throws Exception {
    stop();
    Path file = Files.writeString(folder.resolve("secrets"), OLD + "\n" + NEW + "\n");
    start(Secrets.ofFile(file), OLD);
    Peer a = new Peer(first, 2, 1);
    Peer b = new Peer(enter(options(NEW)), 3, 1);
    Peer c = new Peer(enter(options(OLD)), 4, 1);
    b.sendUntilHeard(a, 1);
    a.sendUntilHeard(b, 1);
    meet(a, c);
    a.sendUntilHeard(b, 2);
    assertFalse(a.network.isDirect(b.id()) || b.network.isDirect(a.id()));
  }

  /**
   * Messages that do not fit into the buffer are relayed or lost, and other peers are not delayed.
   */
  @Test
  void shouldNotWaitForOneThatDoesNotRead() {
    Peer a = new Peer(first, 2, 1);
    Peer b = new Peer(enter(options("")), 3, 1);
    Peer c = new Peer(enter(options("")), 4, 1);
    meet(a, b);
    meet(a, c);
    CountDownLatch wakes = new CountDownLatch(1);
    b.network.listen(
        (from, message) -> {
          try {
            wakes.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    try {
      for (int i = 0; i < 500; i++) {
        a.send(b, i, PeerNetwork.MESSAGE_BYTES_MAX);
      }
      a.sendUntilHeard(c, 2);
      c.sendUntilHeard(a, 2);
    } finally {
      wakes.countDown();
    }
    b.network.listen(b);
    a.sendUntilHeard(b, 1000);
  }

  /** A connecting peer must present the token that it was offered. */
  @Test
  void shouldCloseConnectionWithoutValidToken() throws IOException {
    Peer a = new Peer(first, 2, 1);
    Peer b = new Peer(enter(options("")), 3, 1);
    meet(a, b);
    for (int length : new int[] {0, 1, 88, 200}) {
      try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), a.network.directPort())) {
        ByteBuffer frame = Wire.buffer(200);
        frame.putInt(0, 88).put(Wire.TYPE_OFFSET, Wire.DIRECT).putLong(48, 3).putLong(56, 1);
        stranger.getOutputStream().write(Wire.array(frame), 0, length);
        stranger.shutdownOutput();
        stranger.setSoTimeout(10_000);
        assertTrue(isEnded(stranger), "bytes sent=" + length);
      }
    }
    a.sendUntilHeard(b, 2);
    assertTrue(a.network.isDirect(b.id()));
  }

  private static boolean isEnded(Socket stranger) {
    try {
      return stranger.getInputStream().read() < 0;
    } catch (IOException e) {
      return true; // reset, since not all bytes were read
    }
  }
}
