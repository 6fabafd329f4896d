package org.nelumbo.executor.op.modify;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;

/**
 * The assignments to the columns of a written row: values over the source's row, followed by
 * generated columns, which are computed from the new row. Immutable.
 */
final class RowAssignments {
  private final ColumnAssignments given;

  private final ColumnAssignments generated;

  private final int[] generatedColumns;

  /**
   * Creates assignments.
   *
   * @param generatedCount number of the last columns that are generated
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
   * Completes a row that has been begun.
   *
   * @param image receives the new image; may be the frame's row itself
   * @param shown frame row that shows the new image while generated columns are computed
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
