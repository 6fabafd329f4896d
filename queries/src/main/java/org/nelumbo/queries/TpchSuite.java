package org.nelumbo.queries;

import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchColumnType;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.Date;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.BatchInsert;

/**
 * TPC-H: its eight tables and 22 queries.
 *
 * @param scale the scale factor; 1 has 6 million rows in LINEITEM
 */
record TpchSuite(double scale) implements QuerySuite {
  @Override
  public void load(Database database) throws SQLException {
    List<String> schema =
        SqlResource.load(TpchSuite.class, "tpch/schema.sql").statements(database.dialect());
    database.executeAll(schema);
    try (Connection connection = database.connect()) {
      for (TpchTable<?> table : TpchTable.getTables()) {
        fill(connection, database, table);
      }
    }
  }

  /** Fills a table, which has been created. */
  <E extends TpchEntity> void fill(Connection connection, Database database, TpchTable<E> table)
      throws SQLException {
    List<TpchColumn<E>> columns = table.getColumns();
    try (BatchInsert insert =
        new BatchInsert(
            connection,
            database.dialect(),
            LoadProgress.NONE,
            table.getTableName(),
            columns.size())) {
      for (E row : table.createGenerator(scale, 1, 1)) {
        insert.add(columns.stream().map(column -> value(column, row)).toArray());
      }
    }
  }

  private static <E extends TpchEntity> Object value(TpchColumn<E> column, E row) {
    TpchColumnType.Base base = column.getType().getBase();
    return switch (base) {
      case IDENTIFIER -> Math.toIntExact(column.getIdentifier(row));
      case INTEGER -> column.getInteger(row);
      case DOUBLE -> BigDecimal.valueOf(column.getDouble(row)).setScale(2, RoundingMode.HALF_UP);
      case DATE -> Date.valueOf(LocalDate.ofEpochDay(column.getDate(row)));
      case VARCHAR -> column.getString(row);
    };
  }

  @Override
  public SqlResource queries() {
    return SqlResource.load(TpchSuite.class, "tpch/queries.sql");
  }
}
