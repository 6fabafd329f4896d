package org.nelumbo.database.sysviews;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.SystemView;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** The columns of system views. */
final class ViewColumns {
  private ViewColumns() {}

  static void add(Catalog catalog, String name, Supplier<List<Object[]>> rows, Column... columns) {
    catalog.addView(new SystemView(CatalogState.SYS, name, List.of(columns), rows));
  }

  /** Adds a view about this compute node; its last column is the number of the compute node. */
  static void addLocal(
      Catalog catalog,
      Engine engine,
      String name,
      Supplier<List<Object[]>> rows,
      Column... columns) {
    Column[] all = Arrays.copyOf(columns, columns.length + 1);
    all[columns.length] = number("NODE");
    add(catalog, name, () -> withNode(engine, rows.get()), all);
  }

  private static List<Object[]> withNode(Engine engine, List<Object[]> rows) {
    List<Object[]> all = new ArrayList<>(rows.size());
    for (Object[] row : rows) {
      Object[] longer = Arrays.copyOf(row, row.length + 1, Object[].class);
      longer[row.length] = (long) engine.node().number();
      all.add(longer);
    }
    return all;
  }

  static Column text(String name) {
    return new Column(name, ColumnType.of(Kind.VARCHAR));
  }

  static Column optionalText(String name) {
    return new Column(name, ColumnType.of(Kind.VARCHAR).orNull());
  }

  static Column number(String name) {
    return new Column(name, ColumnType.of(Kind.BIGINT));
  }

  static Column optionalNumber(String name) {
    return new Column(name, ColumnType.of(Kind.BIGINT).orNull());
  }

  static Column optionalMoment(String name) {
    return new Column(name, ColumnType.of(Kind.TIMESTAMP_LTZ).orNull());
  }

  static Column bool(String name) {
    return new Column(name, ColumnType.of(Kind.BOOLEAN));
  }

  static Long raw(boolean value) {
    return value ? 1L : 0L;
  }
}
