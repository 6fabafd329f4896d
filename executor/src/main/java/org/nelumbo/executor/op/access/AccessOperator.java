package org.nelumbo.executor.op.access;

import java.util.List;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;

/** An operator that reads a table and shows its current row in one row of the frame. */
abstract class AccessOperator extends Operator {
  final int row;

  AccessOperator(int row) {
    this.row = row;
  }

  @Override
  public final FrameFields output() {
    return FrameFields.ofRow(row);
  }

  @Override
  public final List<Operator> children() {
    return List.of();
  }
}
