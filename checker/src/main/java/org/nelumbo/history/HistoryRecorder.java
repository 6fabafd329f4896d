package org.nelumbo.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects the transactions that sessions record. Thread-safe; each session's recorder belongs to
 * its thread. A transaction enters the history when it ends. If its client has stopped before that,
 * it enters with unknown outcome when the history is taken.
 */
public final class HistoryRecorder {
  private final ReentrantLock lock = new ReentrantLock();
  private final HistoryBuilder builder = new HistoryBuilder();
  private final List<SessionRecorder> sessions = new ArrayList<>();

  /** Receives each transaction, too; or null. */
  private final HistoryRecorder other;

  private final long lag;

  public HistoryRecorder() {
    this(null, 0);
  }

  /**
   * Creates a recorder that adds each transaction to another one, too, as if its client had learned
   * the outcome later: real time orders only transactions that are farther apart there.
   */
  public HistoryRecorder(HistoryRecorder other, long lag) {
    this.other = other;
    this.lag = lag;
  }

  /** Creates the recorder of a client. */
  public SessionRecorder session(int id) {
    SessionRecorder session = new SessionRecorder(this, id);
    lock.lock();
    try {
      sessions.add(session);
    } finally {
      lock.unlock();
    }
    return session;
  }

  void add(SessionRecorder from, Outcome outcome, long completed) {
    lock.lock();
    try {
      builder.add(
          from.id(), from.isolation(), outcome, from.invoked(), completed, from.operations());
    } finally {
      lock.unlock();
    }
    if (other != null) {
      other.add(from, outcome, completed == History.NEVER ? History.NEVER : completed + lag);
    }
  }

  /** Returns the history so far. All sessions have stopped. */
  public History history() {
    for (SessionRecorder session : List.copyOf(sessions)) {
      if (session.isActive()) {
        session.unknown();
      }
    }
    lock.lock();
    try {
      return builder.build();
    } finally {
      lock.unlock();
    }
  }
}
