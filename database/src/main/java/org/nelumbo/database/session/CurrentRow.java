package org.nelumbo.database.session;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.plan.PlanExecution;

/**
 * The current row of a streamed result. A column is computed when the reader first requests it, and
 * from then on with each row, so that unread columns cost nothing.
 *
 * <p>{@link #load}, {@link #complete} and {@link #read} use the execution, and run under the
 * session's mutex. The other methods belong to the reader and use copies, because another thread
 * may detach the remaining rows or close the execution meanwhile.
 */
final class CurrentRow {
  private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(byte[].class);

  // States of a column.
  private static final byte UNREAD = 0;
  private static final byte VALUE = 1;
  private static final byte NULL = 2;
  private static final byte FAILED = 3;

  private final PlanExecution execution;
  private final boolean[] isLong;
  private final byte[] states;
  private final long[] longs;

  private final Object[] objects;

  private final int[] wanted;

  private int wantedColumns;

  /** True if columns were computed that the reader has not requested. */
  private boolean completed;

  CurrentRow(PlanExecution execution) {
    this.execution = execution;
    int columns = execution.plan().columns().size();
    isLong = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      isLong[i] = execution.plan().columns().get(i).type().isLong();
    }
    states = new byte[columns];
    longs = new long[columns];
    objects = new Object[columns];
    wanted = new int[columns];
  }

  boolean isOf(PlanExecution other) {
    return execution == other;
  }

  /** Loads the current row of the execution. */
  void load() {
    if (completed) {
      Arrays.fill(states, UNREAD);
      completed = false;
    }
    for (int i = 0; i < wantedColumns; i++) {
      compute(wanted[i]);
    }
  }

  private void compute(int column) {
    byte state;
    try {
      if (isLong[column]) {
        longs[column] = execution.longOrNull(column);
        state = execution.takeNull() ? NULL : VALUE;
      } else {
        Object value = execution.objectAt(column);
        objects[column] = value;
        state = value == null ? NULL : VALUE;
      }
    } catch (NelumboException e) {
      boolean _ = execution.takeNull();
      objects[column] = pending(e);
      state = FAILED;
    }
    STATE.setRelease(states, column, state);
  }

  /** Computes all values that were not read, because the execution is about to leave the row. */
  void complete() {
    completed = true;
    for (int i = 0; i < states.length; i++) {
      if (!isRead(i)) {
        compute(i);
      }
    }
  }

  /** Computes a value for the reader. */
  void read(int column) {
    if (!isRead(column)) {
      compute(column);
      wanted[wantedColumns++] = column;
    }
  }

  /**
   * Returns an error to be thrown when its value is read; throws an error that ends the
   * transaction.
   */
  static NelumboException pending(NelumboException error) {
    if (error.code().endsTransaction()) {
      throw error;
    }
    return error;
  }

  private byte state(int column) {
    return (byte) STATE.getAcquire(states, column);
  }

  boolean isRead(int column) {
    return state(column) != UNREAD;
  }

  /** Returns true if the value is present and not NULL. */
  boolean hasValue(int column) {
    return state(column) == VALUE;
  }

  /** Returns true if the value is present and NULL; throws the error of a failed value. */
  boolean isNull(int column) {
    byte state = state(column);
    if (state == FAILED) {
      throw (NelumboException) objects[column];
    }
    return state == NULL;
  }

  /** Returns a value that is present. */
  long longAt(int column) {
    return longs[column];
  }

  /** Returns a value that is present. */
  Object objectAt(int column) {
    Object value = objects[column];
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }
}
