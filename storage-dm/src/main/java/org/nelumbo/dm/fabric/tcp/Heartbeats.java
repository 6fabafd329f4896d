package org.nelumbo.dm.fabric.tcp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;

/**
 * Sends empty batches on each link. They renew the lease of this process at its memory node, and
 * keep the connection alive at firewalls. Each link has its own thread, so that a hung link does
 * not delay the others.
 */
final class Heartbeats {
  private static final long LONGEST_NANOS = 2_000_000_000L;
  private static final long SHORTEST_NANOS = 10_000_000L;

  /** Heartbeats per lease, and per waiting time of a fence. */
  private static final int BEATS_PER_LEASE = 3;

  private final Environment environment;
  private final long nanos;
  private final List<BackgroundThread> threads = new ArrayList<>();
  private volatile boolean isStopped;

  /** Creates the threads without starting them. */
  Heartbeats(Environment environment, NodeLinks links, long leaseNanos) {
    this.environment = environment;
    this.nanos = nanos(leaseNanos);
    for (NodeLink link : links.all()) {
      threads.add(new BackgroundThread(environment, "nelumbo-heartbeat", () -> beat(link)));
    }
    TcpPoolLog log = links.log();
    if (log != null) {
      threads.add(new BackgroundThread(environment, "nelumbo-heartbeat", () -> beat(log)));
    }
  }

  /** Returns a heartbeat interval that is short enough for a lease. */
  static long nanos(long leaseNanos) {
    return Math.clamp(leaseNanos / BEATS_PER_LEASE, SHORTEST_NANOS, LONGEST_NANOS);
  }

  void start() {
    threads.forEach(BackgroundThread::start);
  }

  void stop() {
    isStopped = true;
    threads.forEach(BackgroundThread::stop);
  }

  private void beat(NodeLink link) {
    Request request = new Request(MemorySegment.ofArray(new byte[Long.BYTES]));
    while (!isStopped) {
      try {
        NodeLinks.exchangeNothing(link, request);
      } catch (FabricException e) {
        // the users of the link fail at their own flushes
      } finally {
        request.begin();
      }
      environment.parkNanos(nanos);
    }
  }

  private void beat(TcpPoolLog log) {
    while (!isStopped) {
      try {
        log.beat();
      } catch (FabricException e) {
        // the commits fail on their own
      }
      environment.parkNanos(nanos);
    }
  }
}
