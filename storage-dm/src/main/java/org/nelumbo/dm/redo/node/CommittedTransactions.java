package org.nelumbo.dm.redo.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.layout.TransactionId;

/**
 * What a memory node knows of the transactions that compute nodes have sent it: of each
 * coordinator, the last one that the log has. Thread-safe.
 *
 * <p>A compute node that dies may leave a commit of which nobody can tell from the pool's memory
 * whether it counts: it does if it is here. When the node has started again nothing is here, and
 * nothing in the memory either: then the log is all there is.
 */
final class CommittedTransactions {
  /** Guards what follows, and what is known of each coordinator. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Long, Last> coordinators = new HashMap<>();

  /** How often all were forgotten. */
  private final AtomicInteger generation = new AtomicInteger();

  /** Of a coordinator. */
  static final class Last {
    private long transaction;
    private long timestamp;
  }

  /** Changes when what {@link #of} has returned is of no use any more. */
  int generation() {
    return generation.get();
  }

  /** That of a coordinator. */
  Last of(long coordinator) {
    lock.lock();
    try {
      return coordinators.computeIfAbsent(coordinator, each -> new Last());
    } finally {
      lock.unlock();
    }
  }

  void set(Last last, long transaction, long timestamp) {
    lock.lock();
    try {
      last.transaction = transaction;
      last.timestamp = timestamp;
    } finally {
      lock.unlock();
    }
  }

  /** Timestamp of a transaction, the last one of a coordinator; 0 if the log does not have it. */
  long timestampOf(long coordinator, long transaction) {
    lock.lock();
    try {
      Last last = coordinators.get(coordinator);
      return last == null || last.transaction != transaction ? 0 : last.timestamp;
    } finally {
      lock.unlock();
    }
  }

  /** The last transaction of each coordinator. */
  List<LogState.Committed> all() {
    lock.lock();
    try {
      return coordinators.values().stream()
          .filter(last -> last.timestamp != 0)
          .map(last -> new LogState.Committed(last.transaction, last.timestamp))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** Knows these, and nothing of others. */
  void setAll(List<LogState.Committed> all) {
    forget();
    for (LogState.Committed each : all) {
      long coordinator = TransactionId.coordinator(each.transaction());
      set(of(coordinator), each.transaction(), each.timestamp());
    }
  }

  void forget() {
    lock.lock();
    try {
      coordinators.clear();
      generation.incrementAndGet();
    } finally {
      lock.unlock();
    }
  }
}
