package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.env.ThreadlessEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;

/** Tests that a memory node keeps serving after it runs out of threads, descriptors or heap. */
@Timeout(60)
class ConnectionAcceptorTest {
  private final SystemEnvironment system = new SystemEnvironment();

  @Test
  void shouldKeepServingWhenThreadsCannotStart() throws IOException {
    try (MemoryNode node =
        new MemoryNode(
            new ThreadlessEnvironment("nelumbo-peer", 3),
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT)) {
      node.start();
      for (int i = 0; i < 3; i++) {
        try (Socket socket = new Socket(node.address().host(), node.address().port())) {
          assertEquals(-1, socket.getInputStream().read());
        }
      }
      TcpFabric.open(system, List.of(node.address()), TcpOptions.of("me")).close();
      assertEquals(3, node.counters().acceptFailures());
      assertEquals(3, node.counters().refused(NodeCounters.Refusal.RESOURCES));
    }
  }

  @Test
  void shouldPauseLongerTheLongerItFailsButNotForEver() {
    ThreadlessEnvironment environment = new ThreadlessEnvironment("nelumbo-peer", 0);
    NodeCounters counters = new NodeCounters(Map::of);
    AtomicInteger asked = new AtomicInteger();
    Map<Integer, Long> pauses = new HashMap<>();
    ConnectionAcceptor[] acceptor = new ConnectionAcceptor[1];
    acceptor[0] =
        new ConnectionAcceptor(
            environment,
            () -> {
              pauses.put(asked.get(), environment.pausedNanos());
              assertEquals(asked.get() > 0, acceptor[0].isFailing());
              if (asked.incrementAndGet() % 2 == 0) {
                throw new IOException("Too many open files");
              }
              throw new StackOverflowError();
            },
            socket -> {},
            () -> asked.get() == 12,
            counters);
    acceptor[0].run();
    assertEquals(11, counters.acceptFailures());
    assertEquals(10_000_000, pauses.get(1));
    assertEquals(20_000_000, pauses.get(2) - pauses.get(1));
    assertEquals(1_000_000_000, pauses.get(11) - pauses.get(10));
    assertTrue(acceptor[0].isFailing());
  }
}
