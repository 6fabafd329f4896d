package org.nelumbo.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.dm.node.MemoryNode;

/**
 * Drain of a memory node before it stops. The first SIGTERM or SIGINT stops it as soon as nobody
 * would lose anything by that: the compute node has gone, or another node has a live copy of all.
 * That is waited for as long as is allowed. The second signal ends the process at once.
 *
 * <p>Whether another node has a live copy is known from the compute node, which looks twice a
 * second who is there. So a node of a pool in use waits at least a second. Each waits one more than
 * the node before it, so that of nodes that are all told to stop at once the last ones know that
 * they are.
 *
 * <p>Signals are handled here, not by a shutdown hook: while hooks run, further signals have no
 * effect.
 */
final class NodeDrain implements AutoCloseable {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Nodes that wait one longer than another; the next begins anew. */
  private static final int TURNS = 8;

  /** Exit statuses that are caused by a signal begin here. */
  private static final int SIGNALLED = 128;

  private final MemoryNode node;
  private final Duration timeout;
  private final PrintWriter err;
  private final AtomicInteger signals = new AtomicInteger();
  private final HandledSignals handledSignals;

  /** Begins to handle signals. */
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
            + " uses: it stops when another memory node has one, or when that process has gone, or"
            + " after "
            + timeout.toSeconds()
            + " s (--drain-timeout); a second signal ends it at once");
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(POLL_NANOS);
      if (node.userOfLastCopy().isEmpty()) {
        say("nobody needs this node any more; it stops");
        return;
      }
    }
    say("it stops, although " + user + " uses what it has alone");
  }

  private void say(String text) {
    err.println("nelumbo: " + text);
    err.flush();
  }

  /** Signals are handled as before. */
  @Override
  public void close() {
    handledSignals.close();
  }
}
