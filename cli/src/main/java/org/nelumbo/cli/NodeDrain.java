package org.nelumbo.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.dm.node.MemoryNode;

/**
 * Drain of a memory node before it stops. The first SIGTERM or SIGINT stops the node as soon as
 * that loses no data: the compute node has left, or another node has a live copy of everything. The
 * wait is limited by a timeout. The second signal ends the process immediately.
 *
 * <p>The compute node checks twice a second which memory nodes are live, and reports whether
 * another node has a live copy. Therefore a node of a pool in use waits at least a second. Each
 * node waits a second longer than the node with the preceding number: if all nodes are stopped at
 * the same time, the last ones then detect that they are the last.
 *
 * <p>Signals are handled here and not by a shutdown hook, because further signals have no effect
 * while hooks run.
 */
final class NodeDrain implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Time in which compute nodes install a view that all of them have reached. */
  private static final long INSTALL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /**
   * Number of nodes with increasing wait times; the following node starts again with the first one.
   */
  private static final int TURNS = 8;

  /** Base of exit statuses caused by a signal. */
  private static final int SIGNALLED = 128;

  private final MemoryNode node;
  private final Duration timeout;
  private final PrintWriter err;
  private final AtomicInteger signals = new AtomicInteger();
  private final HandledSignals handledSignals;

  /** Starts to handle signals. */
  NodeDrain(MemoryNode node, Duration timeout, PrintWriter err) {
    this.node = node;
    this.timeout = timeout;
    this.err = err;
    this.handledSignals = new HandledSignals(this::signalled, "TERM", "INT");
  }

  private void signalled(int number) {
    if (signals.incrementAndGet() > 1) {
      Runtime.getRuntime().halt(SIGNALLED + number);
    }
    Thread.ofPlatform().daemon().name("nelumbo-drain").start(this::stop);
  }

  private void stop() {
    try {
      await();
    } finally {
      node.close();
    }
  }

  private void await() {
    long end = System.nanoTime() + timeout.toNanos();
    long known = System.nanoTime() + TimeUnit.SECONDS.toNanos(1 + node.number() % TURNS);
    while (node.isOwned() && System.nanoTime() - Math.min(known, end) < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    String user = node.userOfLastCopy();
    if (user.isEmpty() || timeout.isZero()) {
      return;
    }
    say(
        "this node has the last live copy of what "
            + user
            + " uses: it stops when another memory node has a copy, when that process has ended, or"
            + " after "
            + timeout.toSeconds()
            + " s (--drain-timeout); a second signal ends it at once");
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(POLL_NANOS);
      if (node.userOfLastCopy().isEmpty()) {
        LockSupport.parkNanos(INSTALL_NANOS); // compute nodes begin to use the other copy
        say("this node is no longer needed; it stops");
        return;
      }
    }
    say("it stops, although " + user + " uses the only live copy");
  }

  private void say(String text) {
    err.println("nelumbo: " + text);
    err.flush();
  }

  /** Restores the previous handling of signals. */
  @Override
  public void close() {
    handledSignals.close();
  }
}
