package org.nelumbo.database.infoschema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.SystemView;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** A view of INFORMATION_SCHEMA: its columns by a line of names, its rows by plain values. */
final class StandardView {
  /** What CATALOG is in each row. */
  static final String CATALOG = CatalogState.DATABASE;

  private StandardView() {}

  /**
   * Adds a view to the catalogue.
   *
   * @param columns names with a blank between; # after one means INTEGER, % BIGINT, else it is text
   */
  static void add(Catalog catalog, String name, Supplier<List<Object[]>> rows, String... columns) {
    List<Column> made = new ArrayList<>();
    for (String column : String.join(" ", columns).split(" ", -1)) {
      made.add(column(column));
    }
    catalog.addView(new SystemView(CatalogState.INFORMATION_SCHEMA, name, made, rows));
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

  /** As many values that there are not, for {@link #row}. */
  static Object[] absent(int count) {
    return new Object[count];
  }

  /**
   * A row of values as the view's scan takes them: whole numbers are Long, flags YES or NO; those
   * of an array stand side by side.
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
