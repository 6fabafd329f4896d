package org.nelumbo.jdbc;

import java.sql.ClientInfoStatus;
import java.sql.ResultSet;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;
import java.util.Properties;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Session;

/** The properties of a connection: schema, holdability, client info; and its warnings. */
abstract class ConnectionSettings extends ConnectionLife {
  private final ClientInfo clientInfo = new ClientInfo();
  private SQLWarning warnings;

  ConnectionSettings(Database database, Session session, boolean ownsDatabase) {
    super(database, session, ownsDatabase);
  }

  /** Does something in the session that may end the transaction. */
  final void act(Runnable action, boolean ends) throws SQLException {
    try {
      action.run();
    } catch (RuntimeException | InternalError e) {
      throw failed(e);
    } finally {
      if (ends) {
        transactionEnded();
      }
    }
  }

  static void checkHoldability(int holdability) throws SQLException {
    if (holdability != ResultSet.CLOSE_CURSORS_AT_COMMIT
        && holdability != ResultSet.HOLD_CURSORS_OVER_COMMIT) {
      throw Errors.badParameter(holdability + " is not a holdability");
    }
  }

  /** There are no catalogs: the call is accepted and means nothing, as the specification asks. */
  @Override
  public void setCatalog(String catalog) throws SQLException {
    checkOpen();
  }

  @Override
  public String getCatalog() throws SQLException {
    checkOpen();
    return null;
  }

  @Override
  public void setSchema(String schema) throws SQLException {
    checkOpen();
    if (schema == null) {
      throw Errors.badParameter("the schema is null");
    }
    act(() -> session().setSchema(SchemaNames.resolve(database().catalog(), schema)), false);
  }

  @Override
  public String getSchema() throws SQLException {
    checkOpen();
    return session().schema();
  }

  @Override
  public void setHoldability(int holdability) throws SQLException {
    checkOpen();
    checkHoldability(holdability);
    if (holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT) {
      warn("result sets are closed when the transaction ends");
    }
  }

  @Override
  public int getHoldability() throws SQLException {
    checkOpen();
    return ResultSet.CLOSE_CURSORS_AT_COMMIT;
  }

  final void warn(String message) {
    SQLWarning warning = new SQLWarning(message, "01000");
    if (warnings == null) {
      warnings = warning;
    } else {
      warnings.setNextWarning(warning);
    }
  }

  @Override
  public SQLWarning getWarnings() throws SQLException {
    checkOpen();
    return warnings;
  }

  @Override
  public void clearWarnings() throws SQLException {
    checkOpen();
    warnings = null;
  }

  @Override
  public void setClientInfo(String name, String value) throws SQLClientInfoException {
    if (isClosed()) {
      throw new SQLClientInfoException(
          "the connection is closed",
          ErrorCode.CONNECTION_CLOSED.sqlState(),
          Map.of(String.valueOf(name), ClientInfoStatus.REASON_UNKNOWN));
    }
    if (!clientInfo.set(name, value)) {
      warn("unknown client info '" + name + "'; known are " + String.join(", ", ClientInfo.NAMES));
    }
  }

  @Override
  public void setClientInfo(Properties properties) throws SQLClientInfoException {
    for (String name : ClientInfo.NAMES) {
      setClientInfo(name, properties.getProperty(name));
    }
    for (String name : properties.stringPropertyNames()) {
      setClientInfo(name, properties.getProperty(name));
    }
  }

  @Override
  public String getClientInfo(String name) throws SQLException {
    checkOpen();
    return clientInfo.get(name);
  }

  @Override
  public Properties getClientInfo() throws SQLException {
    checkOpen();
    return clientInfo.copy();
  }
}
