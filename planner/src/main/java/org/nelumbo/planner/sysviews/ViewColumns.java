package org.nelumbo.planner.sysviews;

import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.SystemView;

/** The columns of system views. */
final class ViewColumns {
  private ViewColumns() {}

  static void add(Catalog catalog, String name, Supplier<List<Object[]>> rows, Column... columns) {
    catalog.addView(new SystemView(CatalogState.SYS, name, List.of(columns), rows));
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

  static Column bool(String name) {
    return new Column(name, ColumnType.of(Kind.BOOLEAN));
  }

  static Long raw(boolean value) {
    return value ? 1L : 0L;
  }
}
