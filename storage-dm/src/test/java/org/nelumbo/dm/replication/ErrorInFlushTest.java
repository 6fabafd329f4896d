package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.FailStopFabric;

/**
 * Throws errors of the JVM at each point between the first verb of a flush and its end. The pool is
 * lost, or the flush has had no effect; and a later flush sends no verb of it.
 */
@Timeout(120)
class ErrorInFlushTest extends ThreeReplicas {
  private static final class MadeUp extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Throws an error in this thread before the given number of further channel calls or verbs. */
  private void throwAfter(int calls) {
    Thread worker = Thread.currentThread();
    AtomicInteger left = new AtomicInteger(calls);
    Runnable step =
        () -> {
          if (Thread.currentThread() == worker && left.getAndDecrement() == 0) {
            throw new MadeUp();
          }
        };
    nodes.setBeforeCall(step);
    nodes.setBeforeVerb(node -> step.run());
  }

  private void calm() {
    nodes.setBeforeCall(() -> {});
    nodes.setBeforeVerb(node -> {});
  }

  /**
   * Writes 1 to a word of each logical node, with all kinds of verbs; returns false if an error was
   * thrown.
   */
  private static boolean writeAll(Channel channel) {
    try {
      channel.writeLong(word(0, 0), 1);
      channel.compareAndSwap(word(1, 0), 0, 1, 0);
      channel.fetchAndAdd(word(2, 0), 1, 8);
      channel.staging().set(ValueLayout.JAVA_LONG, 16, 1);
      channel.write(word(0, 1), 16, 8);
      channel.read(word(0, 0), 24, 8);
      channel.flush();
      return true;
    } catch (MadeUp e) {
      return false;
    }
  }

  /** The error is thrown at each call in turn, until the flush finishes before it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLosePoolOrDiscardFlush(boolean stopsOnFailure) {
    boolean whole = false;
    int lost = 0;
    for (int calls = 0; !whole; calls++) {
      ReplicatedFabric replicated = open();
      Fabric fabric = stopsOnFailure ? new FailStopFabric(replicated) : replicated;
      boolean isLost = false;
      try (Channel first = fabric.openChannel(1024);
          Channel second = fabric.openChannel(1024)) {
        for (int node = 0; node < NODES; node++) {
          put(first, word(node, 0), 0);
          put(second, word(node, 1), 0);
        }
        throwAfter(calls);
        whole = writeAll(first);
        calm();
        try {
          put(second, word(2, 2), calls);
          put(first, word(2, 3), calls);
          long value = get(second, word(0, 0));
          for (int node = 0; node < NODES; node++) {
            assertEquals(value, get(first, word(node, 0)), "calls=" + calls);
          }
          assertEquals(value, get(first, word(0, 1)));
          assertEquals(whole ? 1 : 0, value, "a dead flush was sent by another, calls=" + calls);
        } catch (FabricException e) {
          assertTrue(e.getMessage().contains("pool is lost"), e.getMessage());
          isLost = true;
          lost++;
        }
        assertFalse(whole && isLost);
        assertEquals(isLost, replicated.replicationStatus().lost());
      }
      fabric.close();
      try (Channel channel = open().openChannel(1024)) {
        assertCopiesAreEqual();
        assertEquals(get(channel, word(0, 0)), get(channel, word(0, 0)));
      }
      restartOpened();
    }
    assertTrue(lost > 10, "lost=" + lost);
  }

  /** READs change nothing: the next flush works and returns the right data. */
  @Test
  void shouldContinueAfterErrorInFlushOfReads() {
    Fabric fabric = new FailStopFabric(open());
    try (Channel channel = fabric.openChannel(1024)) {
      put(channel, word(0, 0), 5);
      put(channel, word(1, 0), 6);
      boolean whole = false;
      for (int calls = 0; !whole; calls++) {
        throwAfter(calls);
        try {
          channel.read(word(0, 0), 0, 8);
          channel.read(word(1, 0), 8, 8);
          channel.flush();
          whole = true;
        } catch (MadeUp e) {
          calm();
          assertEquals(6, get(channel, word(1, 0)));
        }
      }
      calm();
      assertEquals(5, channel.staging().get(ValueLayout.JAVA_LONG, 0));
    }
  }
}
