package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;

/** The state of an aggregate call for all groups, which are numbered from 0. Not thread-safe. */
abstract class Accumulator {
  /** Ensures capacity for {@code groups} groups; new groups are empty. */
  abstract void ensure(int groups);

  /** Returns the approximate memory of a group in bytes, including array copies during growth. */
  long groupBytes() {
    return 40;
  }

  /** Removes all groups. */
  abstract void clear();

  /** Adds the frame's current row to a group. */
  abstract void add(int group, Frame frame);

  /**
   * Permits the accumulator to spill rows to temporary files; the caller then calls {@link
   * #addRest} after the last row.
   *
   * @param input fields of the frame that show a row
   */
  void allowSpilling(FrameFields input) {}

  /** Adds the spilled rows to their groups. The frame shows other rows afterwards. */
  void addRest(GroupOfRow groups, Frame frame) {}

  /** Determines the group of the frame's current row. */
  @FunctionalInterface
  interface GroupOfRow {
    int group();
  }

  /** Writes a group's result to a slot. */
  abstract void emit(int group, Frame frame, int slot);
}
