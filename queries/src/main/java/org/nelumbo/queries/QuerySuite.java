package org.nelumbo.queries;

import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;

/** Tables, what is in them, and queries. */
interface QuerySuite {
  /** Makes the tables and fills them. */
  void load(Database database) throws SQLException, InterruptedException;

  /** The queries by name, in their order. */
  SqlResource queries();
}
