package org.nelumbo.jdbc;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The open statements of a connection, as a list linked through the statements, so that opening and
 * closing one is cheap. Thread-safe.
 */
final class OpenStatements {
  private final ReentrantLock lock = new ReentrantLock();
  private StatementRun first;

  void add(StatementRun statement) {
    lock.lock();
    try {
      statement.following = first;
      if (first != null) {
        first.preceding = statement;
      }
      first = statement;
    } finally {
      lock.unlock();
    }
  }

  void remove(StatementRun statement) {
    lock.lock();
    try {
      if (statement.preceding != null) {
        statement.preceding.following = statement.following;
      } else if (first == statement) {
        first = statement.following;
      }
      if (statement.following != null) {
        statement.following.preceding = statement.preceding;
      }
      statement.preceding = null;
      statement.following = null;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return first == null;
    } finally {
      lock.unlock();
    }
  }

  /** Tells all statements that the transaction has ended, so that their results are closed. */
  void transactionEnded() {
    lock.lock();
    try {
      StatementRun statement = first;
      while (statement != null) {
        StatementRun following = statement.following; // it may close and leave the list
        statement.transactionEnded();
        statement = following;
      }
    } finally {
      lock.unlock();
    }
  }
}
