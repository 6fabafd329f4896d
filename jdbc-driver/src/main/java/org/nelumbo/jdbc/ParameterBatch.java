package org.nelumbo.jdbc;

import java.util.Arrays;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.planner.StatementExecution;

/**
 * Rows of parameter values waiting for {@code executeBatch}, in three arrays that grow. A value
 * takes eight bytes, or a reference if it is an object, and one byte that says which.
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

  /** Position between two rows. */
  record Position(int kind, int nextLong, int nextObject) {}

  int rows() {
    return rows;
  }

  /** Appends a row with the values of a set, none of which may be unset. */
  void add(ParameterSet parameters) {
    assert parameters.firstUnset() < 0 : "unset parameter=" + parameters.firstUnset();
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

  /** Position of {@link #setRow}. */
  Position position() {
    return new Position(nextKind, nextLong, nextObject);
  }

  void moveTo(Position position) {
    nextKind = position.kind();
    nextLong = position.nextLong();
    nextObject = position.nextObject();
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
   * Hints an execution at the next rows, as far as it wants hints; {@link #setRow} goes on where it
   * was. Leaves other parameters set than before.
   *
   * @return how many rows it was hinted at
   */
  int hintNextRows(StatementExecution execution, int rowsMax) {
    Position here = position();
    int hinted = 0;
    boolean wanted = true;
    while (wanted && hinted < rowsMax) {
      setRow(execution.parameters());
      wanted = execution.hint();
      hinted++;
    }
    moveTo(here);
    return hinted;
  }

  void clear() {
    Arrays.fill(objects, 0, objectCount, null);
    kindCount = 0;
    longCount = 0;
    objectCount = 0;
    rows = 0;
  }
}
