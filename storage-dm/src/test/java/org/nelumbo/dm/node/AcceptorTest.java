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
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;

/** A node that has run out of threads, descriptors or heap goes on. */
@Timeout(60)
class AcceptorTest {
  private final SystemEnvironment system = new SystemEnvironment();

  /** An environment without threads for the first connections, which sums up pauses. */
  private final class Poor implements Environment {
    private final AtomicInteger missing = new AtomicInteger(3);
    private long pausedNanos;

    @Override
    public long nanoTime() {
      return system.nanoTime();
    }

    @Override
    public long epochMicros() {
      return system.epochMicros();
    }

    @Override
    public long randomLong() {
      return system.randomLong();
    }

    @Override
    public void backoff(int attempt) {
      system.backoff(attempt);
    }

    @Override
    public void stepAside() {
      system.stepAside();
    }

    @Override
    public void parkNanos(long nanos) {
      pausedNanos += nanos;
      system.parkNanos(Math.min(nanos, 10_000_000));
    }

    @Override
    public Thread thread(String name, Runnable body) {
      if (name.startsWith("nelumbo-peer") && missing.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return system.thread(name, body);
    }
  }

  @Test
  void shouldGoOnWhenThereIsNoThreadForAConnection() throws IOException {
    try (MemoryNode node =
        new MemoryNode(
            new Poor(),
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT)) {
      node.start();
      for (int i = 0; i < 3; i++) {
        try (Socket socket = new Socket(node.address().host(), node.address().port())) {
          assertEquals(-1, socket.getInputStream().read());
        }
      }
      TcpFabric.open(system, List.of(node.address()), TcpFabric.Options.of("me")).close();
      assertEquals(3, node.counters().acceptFailures());
      assertEquals(3, node.counters().refused(NodeCounters.Refusal.RESOURCES));
    }
  }

  @Test
  void shouldPauseLongerTheLongerItFailsButNotForEver() {
    Poor environment = new Poor();
    NodeCounters counters = new NodeCounters(Map::of);
    AtomicInteger asked = new AtomicInteger();
    Map<Integer, Long> pauses = new HashMap<>();
    Acceptor[] acceptor = new Acceptor[1];
    acceptor[0] =
        new Acceptor(
            environment,
            () -> {
              pauses.put(asked.get(), environment.pausedNanos);
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
