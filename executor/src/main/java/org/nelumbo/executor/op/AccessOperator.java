package org.nelumbo.executor.op;

import java.util.List;

/** An operator that reads a table and stands on its rows at one place of the frame. */
abstract class AccessOperator extends Operator {
  final int row;

  AccessOperator(int row) {
    this.row = row;
  }

  @Override
  public final FrameSet output() {
    return FrameSet.ofRow(row);
  }

  @Override
  public final List<Operator> children() {
    return List.of();
  }
}
