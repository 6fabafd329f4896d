package org.nelumbo.queries;

import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;

/** A set of tables with their rows, and queries on them. */
interface QuerySuite {
  /** Creates the tables and fills them. */
  void load(Database database) throws SQLException, InterruptedException;

  /** Returns the queries by name, in their order. */
  SqlResource queries();
}
