package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;

/** The state of an aggregate call for each group; groups count from 0. Not thread-safe. */
abstract class Accumulator {
  /** Makes room for so many groups; those new are empty. */
  abstract void ensure(int groups);

  /** What a group takes in memory, about, while the arrays grow. */
  long groupBytes() {
    return 40;
  }

  /** Forgets all groups. */
  abstract void clear();

  /** Takes the frame's row into a group. */
  abstract void add(int group, Frame frame);

  /**
   * Allows rows to be set aside in temporary files; {@link #addRest} has to follow the last row.
   *
   * @param input what the frame shows of a row
   */
  void allowSpilling(FrameFields input) {}

  /** Takes the rows into their groups that were set aside; the frame shows others afterwards. */
  void addRest(GroupOfRow groups, Frame frame) {}

  /** Says which group the row belongs to that the frame shows. */
  @FunctionalInterface
  interface GroupOfRow {
    int group();
  }

  /** Puts a group's result into a slot. */
  abstract void emit(int group, Frame frame, int slot);
}
