package org.nelumbo.jdbc.metadata;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.nelumbo.jdbc.result.NelumboResultSet;
import org.nelumbo.jdbc.result.ResultSetType;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Builder of results of {@code DatabaseMetaData}. A column is specified as {@code NAME} for text,
 * {@code NAME#} for an INTEGER, {@code NAME%} for a SMALLINT, {@code NAME?} for a BOOLEAN.
 */
final class MetadataResultBuilder {
  private static final String MARKS = "#%?";
  private static final Kind[] KINDS = {Kind.INTEGER, Kind.SMALLINT, Kind.BOOLEAN};
  private static final int TEXT_LENGTH = 128;

  private final List<ResultColumn> columns;
  private final List<Object[]> rows = new ArrayList<>();

  private MetadataResultBuilder(List<ResultColumn> columns) {
    this.columns = columns;
  }

  static MetadataResultBuilder of(String names) {
    List<ResultColumn> columns = new ArrayList<>();
    for (String marked : names.trim().split("\\s+", -1)) {
      int mark = MARKS.indexOf(marked.charAt(marked.length() - 1));
      String name = mark < 0 ? marked : marked.substring(0, marked.length() - 1);
      ColumnType type =
          mark < 0 ? ColumnType.of(Kind.VARCHAR, TEXT_LENGTH) : ColumnType.of(KINDS[mark]);
      columns.add(ResultColumn.ofExpression(name, type.orNull()));
    }
    return new MetadataResultBuilder(List.copyOf(columns));
  }

  /** Returns a result without rows. */
  static ResultSet empty(String names) throws SQLException {
    try {
      return of(names).build();
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  /** Adds a row of strings, integers and booleans according to the column types, or nulls. */
  MetadataResultBuilder add(Object... values) {
    Object[] row = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      row[i] =
          switch (values[i]) {
            case Integer number -> (Object) number.longValue();
            case Boolean flag -> (Object) (flag ? 1L : 0L);
            case null, default -> values[i];
          };
    }
    rows.add(row);
    return this;
  }

  /** Sorts the rows by columns, numbered from 0; NULL comes first. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  MetadataResultBuilder sort(int... by) {
    rows.sort(
        (a, b) -> {
          for (int column : by) {
            int order =
                Comparator.nullsFirst((Comparator) Comparator.naturalOrder())
                    .compare(a[column], b[column]);
            if (order != 0) {
              return order;
            }
          }
          return 0;
        });
    return this;
  }

  ResultSet build() throws SQLException {
    return NelumboResultSet.detached(rows, columns, ResultSetType.SCROLL_INSENSITIVE);
  }
}
