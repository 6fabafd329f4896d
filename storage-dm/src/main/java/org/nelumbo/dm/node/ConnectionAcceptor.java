package org.nelumbo.dm.node;

import java.io.IOException;
import java.net.Socket;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that accepts connections. It ends only when the node is closed, because the memory would
 * be lost with the process. If a connection cannot be accepted, because file descriptors, threads
 * or heap are exhausted, it is dropped. The next attempt follows after a pause that grows up to a
 * second.
 */
final class ConnectionAcceptor implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);
  private static final long SHORTEST_PAUSE_NANOS = 10_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
  private static final int DOUBLINGS_MAX = 7;

  private final Environment environment;
  private final Listener listener;
  private final Receiver receiver;
  private final BooleanSupplier isClosed;
  private final NodeCounters counters;
  private final LogThrottle throttle;
  private volatile int failuresInARow;

  /** Source of connections. */
  interface Listener {
    /** Waits for a connection. */
    Socket accept() throws IOException;
  }

  /** Consumer of connections. */
  interface Receiver {
    /** Takes ownership of a connection; closes it if that fails. */
    void receive(Socket socket) throws IOException;
  }

  ConnectionAcceptor(
      Environment environment,
      Listener listener,
      Receiver receiver,
      BooleanSupplier isClosed,
      NodeCounters counters) {
    this.environment = environment;
    this.listener = listener;
    this.receiver = receiver;
    this.isClosed = isClosed;
    this.counters = counters;
    this.throttle = new LogThrottle(environment);
  }

  @Override
  public void run() {
    while (!isClosed.getAsBoolean()) {
      try {
        receiver.receive(listener.accept());
        failuresInARow = 0;
      } catch (Throwable e) {
        if (!isClosed.getAsBoolean()) {
          failed(e);
        }
      }
    }
  }

  private void failed(Throwable why) {
    int failures = Math.min(failuresInARow + 1, DOUBLINGS_MAX + 1);
    failuresInARow = failures;
    counters.countAcceptFailure();
    report(why);
    environment.parkNanos(Math.min(SHORTEST_PAUSE_NANOS << (failures - 1), LONGEST_PAUSE_NANOS));
  }

  private void report(Throwable why) {
    try {
      long times = throttle.admit();
      if (times > 0) {
        LOG.warn(
            "cannot accept connections ({} times since the last line like this); the node"
                + " retries: {}; check its limits of open files (ulimit -n), threads (ulimit -u,"
                + " pids of the cgroup) and heap (-Xmx)",
            times,
            why.toString());
      }
    } catch (Throwable e) {
      // without heap the line may be missing, but the event is counted
    }
  }

  /** Returns true if the last connection could not be accepted. */
  boolean isFailing() {
    return failuresInARow > 0;
  }
}
