package org.nelumbo.jdbc.connection;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.nelumbo.jdbc.value.SqlExceptions;

/** A savepoint of the engine as a JDBC savepoint. */
record NelumboSavepoint(org.nelumbo.session.Savepoint savepoint) implements Savepoint {
  @Override
  public int getSavepointId() throws SQLException {
    if (savepoint.name() != null) {
      throw SqlExceptions.badParameter("the savepoint has a name: " + savepoint.name());
    }
    return savepoint.id();
  }

  @Override
  public String getSavepointName() throws SQLException {
    if (savepoint.name() == null) {
      throw SqlExceptions.badParameter("the savepoint has no name; its id is " + savepoint.id());
    }
    return savepoint.name();
  }
}
