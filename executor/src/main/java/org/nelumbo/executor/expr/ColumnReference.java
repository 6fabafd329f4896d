package org.nelumbo.executor.expr;

import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;

/** A column of a row in the frame, which is read directly from the row image. */
public final class ColumnReference extends Expression {
  private final int row;
  private final RowLayout layout;
  private final int column;
  private final boolean mayBeAbsent;
  private final boolean mayBeNull;

  /**
   * Creates a reference to a column.
   *
   * @param mayBeAbsent true if an outer join may remove the row, which makes the column nullable
   */
  ColumnReference(int row, RowLayout layout, int column, boolean mayBeAbsent) {
    super(layout.type(column).withNullable(mayBeAbsent || layout.type(column).nullable()));
    this.row = row;
    this.layout = layout;
    this.column = column;
    this.mayBeAbsent = mayBeAbsent;
    this.mayBeNull = layout.type(column).nullable();
  }

  /** Returns the frame row of the column. */
  public int row() {
    return row;
  }

  /** Returns the ordinal of the column in its table. */
  public int column() {
    return column;
  }

  public RowLayout layout() {
    return layout;
  }

  @Override
  public long evalLong(Frame frame) {
    RowBuffer image = frame.row(row);
    byte[] bytes = image.bytes;
    if (mayBeAbsent && bytes == null) {
      return frame.nullLong();
    }
    if (mayBeNull && layout.isNull(bytes, image.offset, column)) {
      return frame.nullLong();
    }
    return layout.getLong(bytes, image.offset, column);
  }

  @Override
  public Object evalObject(Frame frame) {
    RowBuffer image = frame.row(row);
    return mayBeAbsent && image.bytes == null
        ? null
        : layout.getObject(image.bytes, image.offset, column);
  }

  @Override
  public boolean isNull(Frame frame) {
    RowBuffer image = frame.row(row);
    return (mayBeAbsent && image.bytes == null)
        || (mayBeNull && layout.isNull(image.bytes, image.offset, column));
  }

  @Override
  public String toString() {
    return layout.schema().name() + "." + layout.schema().column(column).name();
  }

  /** Returns a reference to this column for places where an outer join may remove the row. */
  public ColumnReference whereAbsent() {
    return mayBeAbsent ? this : new ColumnReference(row, layout, column, true);
  }
}
