package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.ForwardingEnvironment;

/** Tests when excluded nodes are reconnected, and when that ends. */
@Timeout(60)
class ReconnectorTest extends ThreeReplicas {
  /** A second connection could end the first one, and would look like a reconnect after a cut. */
  @Test
  void shouldNotConnectAgainToANodeThatIsBeingAdmitted() {
    ReplicatedFabric fabric = open();
    AtomicInteger connects = new AtomicInteger();
    AtomicInteger attemptsOfOther = new AtomicInteger();
    AtomicBoolean isFirstVerb = new AtomicBoolean(true);
    nodes.kill(1);
    nodes.kill(2);
    await(fabric, 0b001);
    nodes.setBeforeVerb(
        node -> {
          if (node == 1 && isFirstVerb.getAndSet(false)) {
            awaitRounds(attemptsOfOther, 3);
          }
        });
    nodes.setBeforeConnect(
        node -> {
          if (node == 1 && !isFirstVerb.get()) {
            connects.incrementAndGet();
          } else if (node == 2) {
            attemptsOfOther.incrementAndGet();
          }
        });
    nodes.restart(1);
    await(fabric, 0b011);
    assertEquals(0, connects.get(), "connections after the first one");
  }

  /**
   * Waits for further attempts to connect to the other node. Each round of attempts includes both
   * nodes.
   */
  private static void awaitRounds(AtomicInteger attempts, int rounds) {
    int before = attempts.get();
    while (attempts.get() < before + rounds) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldStopWhenPoolClosesBeforeViewThreadRuns() throws InterruptedException {
    LateSteward environment = new LateSteward();
    nodes.open(environment, OPTIONS).close();
    assertEquals(1, environment.others.size());
    environment.others.getFirst().join();
  }

  /** An environment that never runs the view-change thread. */
  private static final class LateSteward extends ForwardingEnvironment {
    private final List<Thread> others = new ArrayList<>();

    @Override
    public Thread thread(String name, Runnable body) {
      if (name.equals("nelumbo-views")) {
        return new Thread(name) {
          @Override
          public void start() {}
        };
      }
      others.add(super.thread(name, body));
      return others.getLast();
    }
  }
}
