package org.nelumbo.executor.op.core;

import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.ConflictLocation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;

/** Describes the object of a failed operation with names and values that users know. */
public final class ConflictLocations {
  private ConflictLocations() {}

  /**
   * Describes the row with this key, or the values and ranges of the table's indexes that contain
   * it.
   */
  public static ConflictLocation ofRow(TableStore table, KeyBuffer key) {
    TableSchema schema = table.schema();
    return new ConflictLocation(
        key.lotusKey,
        "row " + text(table.layout(), key.bytes, 0) + " of table " + schema.name(),
        "a value or range of an index of table " + schema.name());
  }

  /** Describes values, ranges and rows of an index. */
  static ConflictLocation ofIndex(IndexStore index) {
    String table = index.table().schema().name();
    return new ConflictLocation(
        0,
        null,
        index.schema() == null
            ? "a row or range of table " + table
            : "a row or range of index " + index.schema().name() + " of table " + table);
  }

  /** Describes rows of a table. */
  public static ConflictLocation ofTable(TableStore table) {
    return new ConflictLocation(0, null, "a row or range of table " + table.schema().name());
  }

  /**
   * Returns the primary key of a row with the names of its columns, such as {@code (ID) = (1)}.
   *
   * @param image row image, or only its normalized key
   */
  public static String text(RowLayout layout, byte[] image, int offset) {
    StringBuilder names = new StringBuilder("(");
    StringBuilder values = new StringBuilder("(");
    String separator = "";
    for (int column : layout.schema().primaryKey()) {
      names.append(separator).append(layout.schema().column(column).name());
      values.append(separator).append(value(layout, image, offset, column));
      separator = ", ";
    }
    return names.append(") = ").append(values).append(')').toString();
  }

  private static String value(RowLayout layout, byte[] image, int offset, int column) {
    ColumnType type = layout.type(column);
    if (!type.isLong()) {
      Object value = layout.getObject(image, offset, column);
      return switch (value) {
        case byte[] _ -> "X'...'";
        case String text -> "'" + text.stripTrailing() + "'";
        default -> String.valueOf(value);
      };
    }
    long raw = layout.getLong(image, offset, column);
    return switch (type.kind()) {
      case BOOLEAN -> raw == 0 ? "FALSE" : "TRUE";
      case DATE, TIME, TIMESTAMP -> DatetimeText.format(type.kind(), raw);
      case DECIMAL -> String.valueOf(layout.getDecimal(image, offset, column));
      case DOUBLE, REAL -> String.valueOf(layout.getDouble(image, offset, column));
      default -> Long.toString(raw);
    };
  }
}
