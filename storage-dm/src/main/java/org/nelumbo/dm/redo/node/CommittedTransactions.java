package org.nelumbo.dm.redo.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.layout.TransactionId;

/**
 * The last transaction of each coordinator in the log of a memory node. Thread-safe.
 *
 * <p>A compute node that fails may leave a commit whose outcome cannot be derived from the pool's
 * memory: it is committed if it is listed here. After a restart of the node this list is empty, and
 * so is the memory; then the log alone decides.
 */
final class CommittedTransactions {
  /** Guards the fields below, and the state of each coordinator. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<Long, Last> coordinators = new HashMap<>();

  private final AtomicInteger generation = new AtomicInteger();

  /** The last transaction of a coordinator. */
  static final class Last {
    private long transaction;
    private long timestamp;
  }

  /** Returns a number that changes when results of {@link #of} become invalid. */
  int generation() {
    return generation.get();
  }

  /** Returns the state of a coordinator. */
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

  /**
   * Returns the timestamp of a transaction, if it is the last one of its coordinator; 0 if the log
   * does not contain it.
   */
  long timestampOf(long coordinator, long transaction) {
    lock.lock();
    try {
      Last last = coordinators.get(coordinator);
      return last == null || last.transaction != transaction ? 0 : last.timestamp;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the last transaction of each coordinator. */
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

  /** Replaces the list. */
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
