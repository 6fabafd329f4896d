package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;

/**
 * What is assigned to the columns of a row that is written: values over the source's row, then
 * those of generated columns, which are computed over the new row. Immutable.
 */
final class RowAssignments {
  private final ColumnAssignments given;

  /** Null if no column is generated. */
  private final ColumnAssignments generated;

  private final int[] generatedColumns;

  /**
   * Assignments.
   *
   * @param generatedCount how many of the columns, the last ones, are generated
   */
  RowAssignments(RowLayout layout, int[] columns, Expression[] values, int generatedCount) {
    int first = columns.length - generatedCount;
    given =
        new ColumnAssignments(layout, Arrays.copyOf(columns, first), Arrays.copyOf(values, first));
    generatedColumns = Arrays.copyOfRange(columns, first, columns.length);
    generated =
        generatedCount == 0
            ? null
            : new ColumnAssignments(
                layout, generatedColumns, Arrays.copyOfRange(values, first, values.length));
  }

  /**
   * Writes a row that was begun.
   *
   * @param shown the frame's row that shows the new image
   * @param image gets the new image; may be the frame's row itself
   */
  void write(Frame frame, RowWriter writer, KeyBuffer key, RowBuffer image, RowBuffer shown) {
    given.apply(frame, writer);
    if (generated != null) {
      for (int column : generatedColumns) {
        writer.setPending(column);
      }
      writer.finish(key, shown);
      generated.apply(frame, writer);
    }
    writer.finish(key, image);
  }

  String explain(RowLayout layout) {
    String text = given.explain(layout);
    return generated == null ? text : text + ", " + generated.explain(layout);
  }
}
