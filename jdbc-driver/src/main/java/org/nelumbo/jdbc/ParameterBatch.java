package org.nelumbo.jdbc;

import java.util.Arrays;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.planner.StatementExecution;

/**
 * Rows of parameters waiting for {@code executeBatch}, in three arrays that grow. A value takes
 * eight bytes, or a reference if it is an object, and one byte that says which.
 */
final class ParameterBatch {
  private static final byte NULL = 1;
  private static final byte LONG = 2;
  private static final byte OBJECT = 3;
  private static final int FIRST_CAPACITY = 64;

  private byte[] kinds = new byte[FIRST_CAPACITY];
  private long[] longs = new long[FIRST_CAPACITY];
  private Object[] objects = new Object[FIRST_CAPACITY];
  private int kindCount;
  private int longCount;
  private int objectCount;
  private int rows;

  private int nextKind;
  private int nextLong;
  private int nextObject;

  /** Between two rows. */
  record Place(int kind, int nextLong, int nextObject) {}

  int rows() {
    return rows;
  }

  /** Appends a row: the present values, all of which are set. */
  void add(ParameterSet parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.isNull(i)) {
        addKind(NULL);
      } else if (parameters.isLong(i)) {
        addLong(parameters.longAt(i));
      } else {
        addObject(parameters.objectAt(i));
      }
    }
    rows++;
  }

  private void addLong(long value) {
    addKind(LONG);
    if (longCount == longs.length) {
      longs = Arrays.copyOf(longs, 2 * longCount);
    }
    longs[longCount++] = value;
  }

  private void addObject(Object value) {
    addKind(OBJECT);
    if (objectCount == objects.length) {
      objects = Arrays.copyOf(objects, 2 * objectCount);
    }
    objects[objectCount++] = value;
  }

  private void addKind(byte kind) {
    if (kindCount == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * kindCount);
    }
    kinds[kindCount++] = kind;
  }

  void rewind() {
    nextKind = 0;
    nextLong = 0;
    nextObject = 0;
  }

  /** Where {@link #setRow} is. */
  Place place() {
    return new Place(nextKind, nextLong, nextObject);
  }

  void back(Place place) {
    nextKind = place.kind();
    nextLong = place.nextLong();
    nextObject = place.nextObject();
  }

  /** Sets parameters to the next row's values. */
  void setRow(ParameterSet parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      switch (kinds[nextKind++]) {
        case LONG -> parameters.setLong(i, longs[nextLong++]);
        case OBJECT -> parameters.setObject(i, objects[nextObject++]);
        default -> parameters.setNull(i);
      }
    }
  }

  /**
   * Shows the next rows' values to an execution, as far as it wants to know; {@link #setRow} goes
   * on where it was. Leaves other parameters set than before.
   *
   * @return how many rows it was shown
   */
  int anticipate(StatementExecution execution, int rowsMax) {
    Place here = place();
    int shown = 0;
    boolean wanted = true;
    while (wanted && shown < rowsMax) {
      setRow(execution.parameters());
      wanted = execution.anticipate();
      shown++;
    }
    back(here);
    return shown;
  }

  void clear() {
    Arrays.fill(objects, 0, objectCount, null);
    kindCount = 0;
    longCount = 0;
    objectCount = 0;
    rows = 0;
  }
}
