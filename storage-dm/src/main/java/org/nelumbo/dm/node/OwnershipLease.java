package org.nelumbo.dm.node;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * Lease on a memory node: which compute node it serves, namely the one of the current epoch.
 * Another may take over when that one has no connection any more, or has not been heard of for the
 * lease. Then its connections are closed, each after the frame it is at, before the new epoch
 * begins: nothing that the old one asked for happens after that. Thread-safe.
 *
 * <p><b>An owner that has just gone.</b> The end of a connection is known when the thread that
 * serves it has run. On a busy machine the next compute node may ask before that, although the
 * owner had closed the pool, or died, before it was started. So there being connections is no
 * reason to refuse; a sign of life is, that came since it was asked.
 */
final class OwnershipLease {
  /**
   * Signs of life that arrive within this time after a request to attach may have been sent long
   * before it.
   */
  static final long STALE_NANOS = 100_000_000L;

  /**
   * Whoever asks is answered by then. An owner that lives says something every two seconds; who
   * asks waits ten for the answer.
   */
  static final long ANSWER_NANOS = 5_000_000_000L;

  private final Environment environment;
  private final Channel channel;
  private final long leaseNanos;

  /** Guards all below, and the channel. */
  private final ReentrantLock lock = new ReentrantLock();

  private final List<Connection> connections = new ArrayList<>();
  private String owner = "";

  /** Of the owner; 0 if it has none, since it has nothing decided. */
  private long incarnation;

  private long epoch;
  private volatile long heardNanos;

  /** State of a connection as the lease sees it. */
  interface Connection {
    /** Closes it, and returns when it does nothing any more. */
    void revoke();

    /** Whether it does nothing any more, or is going to. */
    boolean isRevoked();
  }

  /** The attach or join is refused; the message says why. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Who is served instead; empty if nobody in particular. */
    private final String owner;

    RefusedException(String message, String owner) {
      super(message);
      this.owner = owner;
    }

    String owner() {
      return owner;
    }
  }

  OwnershipLease(Environment environment, Channel channel, long leaseNanos) {
    this.environment = environment;
    this.channel = channel;
    this.leaseNanos = leaseNanos;
  }

  /**
   * Makes the memory serve a new owner; returns its epoch. Waits while it is not known whether
   * there is an old one.
   *
   * @param newIncarnation by which memory nodes that agree know it; 0 if it has none
   */
  long attach(String newOwner, long newIncarnation, Connection connection) throws RefusedException {
    long asked = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      lock.lock();
      try {
        long now = environment.nanoTime();
        if (connections.isEmpty() || now - heardNanos >= leaseNanos) {
          return serve(newOwner, newIncarnation, connection);
        }
        if (heardNanos - asked > STALE_NANOS
            || now - asked > ANSWER_NANOS
            || connection.isRevoked()) {
          throw new RefusedException(
              "it is in use by "
                  + owner
                  + ": one compute node at a time can attach; end that one, or wait until it has"
                  + " ended",
              owner);
        }
      } finally {
        lock.unlock();
      }
      environment.backoff(attempt);
    }
  }

  private long serve(String newOwner, long newIncarnation, Connection connection) {
    assert lock.isHeldByCurrentThread();
    connections.forEach(Connection::revoke);
    connections.clear();
    long raised = raiseEpoch();
    assert raised > epoch : "epoch=" + raised + " before=" + epoch;
    epoch = raised;
    owner = PoolOwner.printable(newOwner);
    incarnation = newIncarnation;
    heardNanos = environment.nanoTime();
    connections.add(connection);
    return epoch;
  }

  /**
   * Serves nobody any more who is not the owner that memory nodes have agreed on, once this
   * returns.
   *
   * @param decided incarnation of that one
   */
  void fence(long decided) {
    lock.lock();
    try {
      if (incarnation != 0 && incarnation != decided && !connections.isEmpty()) {
        connections.forEach(Connection::revoke);
        connections.clear();
        epoch = raiseEpoch();
      }
    } finally {
      lock.unlock();
    }
  }

  private long raiseEpoch() {
    long address = PoolAddress.of(0, SuperblockLayout.EPOCH_OFFSET);
    channel.fetchAndAdd(address, 1, 0);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0) + 1;
  }

  /** One more connection of the owner. */
  void join(long ofEpoch, Connection connection) throws RefusedException {
    lock.lock();
    try {
      if (ofEpoch != epoch || connections.isEmpty()) {
        throw new RefusedException("the access of epoch " + ofEpoch + " has been revoked", "");
      }
      connections.add(connection);
    } finally {
      lock.unlock();
    }
  }

  /** The owner was heard of. */
  void heard() {
    heardNanos = environment.nanoTime();
  }

  void leave(Connection connection) {
    lock.lock();
    try {
      connections.remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** The epoch that is served; 0 before the first attach. */
  long epoch() {
    lock.lock();
    try {
      return epoch;
    } finally {
      lock.unlock();
    }
  }

  /** The owner, if it has a connection; else empty. */
  String owner() {
    lock.lock();
    try {
      return connections.isEmpty() ? "" : owner;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the owner has a connection. */
  boolean isOwned() {
    lock.lock();
    try {
      return !connections.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Nanoseconds since the owner was heard of; 0 if it has no connection. */
  long silentNanos() {
    lock.lock();
    try {
      return connections.isEmpty() ? 0 : Math.max(0, environment.nanoTime() - heardNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Lines of {@code key=value}. */
  String status() {
    lock.lock();
    try {
      return "epoch="
          + epoch
          + "\nowner="
          + (connections.isEmpty() ? "nobody" : owner)
          + "\nconnections="
          + connections.size()
          + "\n";
    } finally {
      lock.unlock();
    }
  }
}
