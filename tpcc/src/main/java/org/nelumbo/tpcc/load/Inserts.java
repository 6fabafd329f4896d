package org.nelumbo.tpcc.load;

import java.sql.SQLException;
import org.nelumbo.benchmark.load.BatchInsert;

/** Creates the inserts of a loading connection. */
@FunctionalInterface
interface Inserts {
  /** Creates an insert into a table with this number of columns. */
  BatchInsert into(String table, int columns) throws SQLException;
}
