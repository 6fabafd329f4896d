package org.nelumbo.history;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects what sessions record. Thread-safe; each session's recorder belongs to its thread. A
 * transaction enters the history when it ends, or, if its client stopped in the middle of it, with
 * unknown outcome when the history is taken.
 */
public final class HistoryRecorder {
  private final ReentrantLock lock = new ReentrantLock();
  private final HistoryBuilder builder = new HistoryBuilder();
  private final List<SessionRecorder> sessions = new ArrayList<>();

  /** The recorder of one client. */
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
  }

  /** The history so far; the sessions have stopped. */
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
