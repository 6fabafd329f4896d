package org.nelumbo.database.infoschema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.SystemView;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** A view of INFORMATION_SCHEMA, with columns from a line of names and rows from plain values. */
final class StandardView {
  /** Value of the CATALOG columns in each row. */
  static final String CATALOG = CatalogState.DATABASE;

  /** The columns of the views by name: they are the same in all databases of a process. */
  private static final Map<String, List<Column>> COLUMNS = new ConcurrentHashMap<>();

  private StandardView() {}

  /**
   * Adds a view to the catalog.
   *
   * @param columns names separated by blanks; a suffix # means INTEGER, % BIGINT, no suffix text
   */
  static void add(Catalog catalog, String name, Supplier<List<Object[]>> rows, String... columns) {
    List<Column> made = COLUMNS.computeIfAbsent(name, _ -> columns(columns));
    catalog.addView(new SystemView(CatalogState.INFORMATION_SCHEMA, name, made, rows));
  }

  private static List<Column> columns(String... written) {
    List<Column> made = new ArrayList<>();
    for (String column : String.join(" ", written).split(" ", -1)) {
      made.add(column(column));
    }
    return List.copyOf(made);
  }

  private static Column column(String name) {
    Kind kind =
        switch (name.charAt(name.length() - 1)) {
          case '#' -> Kind.INTEGER;
          case '%' -> Kind.BIGINT;
          default -> Kind.VARCHAR;
        };
    String bare = kind == Kind.VARCHAR ? name : name.substring(0, name.length() - 1);
    return new Column(bare, ColumnType.of(kind).orNull());
  }

  /** Returns this many nulls, for {@link #row}. */
  static Object[] absent(int count) {
    return new Object[count];
  }

  /**
   * Returns a row of values in the form that the view's scan expects: integers as Long, flags as
   * YES or NO. Elements of an array become separate columns.
   */
  static Object[] row(Object... values) {
    List<Object> row = new ArrayList<>();
    for (Object value : values) {
      switch (value) {
        case Object[] several -> row.addAll(Arrays.asList(several));
        case Integer number -> row.add(number.longValue());
        case Boolean flag -> row.add(flag ? "YES" : "NO");
        case null, default -> row.add(value);
      }
    }
    return row.toArray();
  }
}
