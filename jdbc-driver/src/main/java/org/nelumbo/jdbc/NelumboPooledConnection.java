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
 * A physical connection that a connection pool keeps and hands out repeatedly. Its user gets a
 * {@link PooledHandle}. Closing the handle resets the connection and notifies the listeners of the
 * pool.
 */
final class NelumboPooledConnection implements PooledConnection, PooledHandle.Owner {
  private final NelumboConnection connection;
  private final NelumboConnection.NewSettings settings;
  private final CopyOnWriteArrayList<ConnectionEventListener> listeners =
      new CopyOnWriteArrayList<>();

  private PooledHandle handle;

  NelumboPooledConnection(NelumboConnection connection) throws SQLException {
    this.connection = connection;
    this.settings = connection.settings();
  }

  @Override
  public NelumboConnection connection() {
    return connection;
  }

  /** Returns a new handle. A previous handle becomes unusable and the connection is reset. */
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

  /** Notifies the listeners that the connection is unusable. */
  void broken(SQLException e) {
    ConnectionEvent event = new ConnectionEvent(this, e);
    listeners.forEach(listener -> listener.connectionErrorOccurred(event));
  }

  /** Notifies the listeners if the exception means that the connection is lost. */
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

  /** Has no effect: prepared statements are not pooled, so there are no statement events. */
  @Override
  public void addStatementEventListener(StatementEventListener listener) {}

  @Override
  public void removeStatementEventListener(StatementEventListener listener) {}
}
