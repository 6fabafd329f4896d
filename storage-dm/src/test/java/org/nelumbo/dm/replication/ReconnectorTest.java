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

/** When a node that is out is connected to, and when no more. */
@Timeout(60)
class ReconnectorTest extends ThreeReplicas {
  /** A second connection might end the first one, and would pass for one that was cut between. */
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

  /** Whoever connects to the other node comes by the first one meanwhile. */
  private static void awaitRounds(AtomicInteger attempts, int rounds) {
    int before = attempts.get();
    while (attempts.get() < before + rounds) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldEndWithAPoolThatIsClosedBeforeItsStewardHasRun() throws InterruptedException {
    LateSteward environment = new LateSteward();
    nodes.open(environment, OPTIONS).close();
    assertEquals(1, environment.others.size());
    environment.others.getFirst().join();
  }

  /** The view-change thread is not scheduled. */
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
