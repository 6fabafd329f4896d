package org.nelumbo.tpcc.load;

import java.sql.SQLException;
import org.nelumbo.benchmark.load.BatchInsert;

/** Makes the inserts of a loading connection. */
@FunctionalInterface
interface Inserts {
  /** An insert into a table with so many columns. */
  BatchInsert into(String table, int columns) throws SQLException;
}
