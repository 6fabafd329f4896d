package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEventListener;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.connection.NelumboConnection;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * A connection that a pool keeps, and gives out again and again. Who gets it sees a {@link
 * PooledHandle}; when that is closed, the connection is as new, and the pool hears of it.
 */
final class NelumboPooledConnection implements PooledConnection, PooledHandle.Owner {
  private final NelumboConnection connection;
  private final NelumboConnection.NewSettings settings;
  private final CopyOnWriteArrayList<ConnectionEventListener> listeners =
      new CopyOnWriteArrayList<>();

  /** What was given out last; null before that. */
  private PooledHandle handle;

  NelumboPooledConnection(NelumboConnection connection) throws SQLException {
    this.connection = connection;
    this.settings = connection.settings();
  }

  @Override
  public NelumboConnection connection() {
    return connection;
  }

  /** Gives the connection out; who had it before has it no more. */
  @Override
  public Connection getConnection() throws SQLException {
    connection.checkOpen();
    try {
      if (handle != null) {
        handle.leave();
        connection.reset(settings);
      }
      handle = new PooledHandle(this);
      connection.setHandle(handle.proxy());
      return handle.proxy();
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  @Override
  public void returned() throws SQLException {
    try {
      connection.reset(settings);
      ConnectionEvent event = new ConnectionEvent(this);
      listeners.forEach(listener -> listener.connectionClosed(event));
    } catch (Throwable e) {
      SQLException failure = SqlExceptions.ofCaller("the connection", e);
      broken(failure);
      if (!connection.isClosed()) {
        throw failure;
      }
    }
  }

  /** The connection cannot be used any more. */
  void broken(SQLException e) {
    ConnectionEvent event = new ConnectionEvent(this, e);
    listeners.forEach(listener -> listener.connectionErrorOccurred(event));
  }

  /** Tells the pool if an exception means that the connection is lost. */
  @Override
  public void failed(SQLException e) {
    if (connection.isClosed() || SqlExceptions.code(e) == ErrorCode.CONNECTION_LOST) {
      broken(e);
    }
  }

  @Override
  public void close() throws SQLException {
    if (handle != null) {
      handle.leave();
    }
    connection.close();
  }

  @Override
  public void addConnectionEventListener(ConnectionEventListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeConnectionEventListener(ConnectionEventListener listener) {
    listeners.remove(listener);
  }

  /** Has no effect: statements are not kept for others, so nobody needs to hear of them. */
  @Override
  public void addStatementEventListener(StatementEventListener listener) {}

  @Override
  public void removeStatementEventListener(StatementEventListener listener) {}
}
