package org.nelumbo.jdbc.statement;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The open statements of a connection, as a doubly linked list through the statements themselves,
 * so that opening and closing one is cheap. Thread-safe.
 */
public final class OpenStatements {
  /** A statement as an element of the list. */
  abstract static class Node {
    private Node preceding;
    private Node following;

    /** Closes the statement, because its connection is reset for another user. */
    abstract void close() throws SQLException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private Node first;

  void add(Node statement) {
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

  void remove(Node statement) {
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

  public boolean isEmpty() {
    lock.lock();
    try {
      return first == null;
    } finally {
      lock.unlock();
    }
  }

  /** Closes all statements. */
  public void closeAll() throws SQLException {
    List<Node> all = new ArrayList<>();
    lock.lock();
    try {
      for (Node statement = first; statement != null; statement = statement.following) {
        all.add(statement);
      }
    } finally {
      lock.unlock();
    }
    for (Node statement : all) {
      statement.close();
    }
  }
}
