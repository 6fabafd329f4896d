package org.nelumbo.benchmark.load;

import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.ErrorKind;

/**
 * Inserts rows into one table in batches. Each batch is a transaction of its own, which is retried
 * after a conflict. A NULL is given as the {@link JDBCType} of the column.
 */
public final class BatchInsert implements AutoCloseable {
  private static final int BATCH_ROWS = 1_000;
  private static final int TRIES_MAX = 50;
  private static final long PAUSE_NANOS = 1_000_000;

  private final Connection connection;
  private final Dialect dialect;
  private final LoadProgress progress;
  private final PreparedStatement insert;
  private final List<Object[]> rows = new ArrayList<>(BATCH_ROWS);

  public BatchInsert(
      Connection connection, Dialect dialect, LoadProgress progress, String table, int columns)
      throws SQLException {
    this.connection = connection;
    this.dialect = dialect;
    this.progress = progress;
    String marks = String.join(", ", Collections.nCopies(columns, "?"));
    this.insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (" + marks + ")");
  }

  /** Adds a row, in the order of the columns of CREATE TABLE. Every 1,000 rows are inserted. */
  public void add(Object... values) throws SQLException {
    rows.add(values);
    if (rows.size() == BATCH_ROWS) {
      flush();
    }
  }

  /** Inserts the rows that have been added. */
  public void flush() throws SQLException {
    for (int tries = 1; !rows.isEmpty(); tries++) {
      try {
        insertAll();
        progress.loaded(rows.size());
        rows.clear();
      } catch (SQLException e) {
        connection.rollback();
        if (tries == TRIES_MAX || ErrorKind.of(e, dialect) != ErrorKind.CONFLICT) {
          throw e;
        }
        insert.clearBatch();
        LockSupport.parkNanos(PAUSE_NANOS * tries);
      }
    }
  }

  private void insertAll() throws SQLException {
    for (Object[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        bind(i + 1, row[i]);
      }
      insert.addBatch();
    }
    insert.executeBatch();
    connection.commit();
  }

  private void bind(int index, Object value) throws SQLException {
    switch (value) {
      case JDBCType type -> insert.setNull(index, type.getVendorTypeNumber());
      case Integer number -> insert.setInt(index, number);
      case String text -> insert.setString(index, text);
      case java.math.BigDecimal amount -> insert.setBigDecimal(index, amount);
      case java.sql.Timestamp time -> insert.setTimestamp(index, time);
      default -> insert.setObject(index, value);
    }
  }

  @Override
  public void close() throws SQLException {
    flush();
    insert.close();
  }
}
