package org.nelumbo.jdbc.value;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.StatementExecution;
import org.nelumbo.types.ParameterSet;

/**
 * Rows of parameter values for {@code executeBatch}, in three arrays that grow. A value takes one
 * byte for its kind, and eight bytes or, if it is an object, a reference.
 */
public final class ParameterBatch {
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

  /** A position between two rows. */
  public record Position(int kind, int nextLong, int nextObject) {}

  public int rows() {
    return rows;
  }

  /** Appends a row with the values of a parameter set. All its parameters are set. */
  public void add(ParameterSet parameters) {
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

  public void rewind() {
    nextKind = 0;
    nextLong = 0;
    nextObject = 0;
  }

  /** Returns the position of the next {@link #setRow}. */
  public Position position() {
    return new Position(nextKind, nextLong, nextObject);
  }

  public void moveTo(Position position) {
    nextKind = position.kind();
    nextLong = position.nextLong();
    nextObject = position.nextObject();
  }

  /** Converts all rows to other types of the parameters. */
  public void convert(List<ParameterInfo> from, ParameterInfo[] to) throws SQLException {
    ParameterBatch converted = new ParameterBatch();
    ParameterSet row = new ParameterSet(to.length);
    rewind();
    for (int i = 0; i < rows; i++) {
      setRow(row);
      convert(row, from, to);
      converted.add(row);
    }
    clear();
    rewind();
    converted.rewind();
    for (int i = 0; i < converted.rows; i++) {
      converted.setRow(row);
      add(row);
    }
  }

  /** Converts the values of parameters whose type has changed. */
  public static void convert(ParameterSet values, List<ParameterInfo> from, ParameterInfo[] to)
      throws SQLException {
    for (int i = 0; i < to.length; i++) {
      boolean changed = !from.get(i).type().equals(to[i].type());
      if (changed && !values.isNull(i)) {
        Object value =
            values.isLong(i)
                ? ValueTypes.object(from.get(i).type(), values.longAt(i))
                : values.objectAt(i);
        if (!ParameterConverter.setObject(values, i, to[i], value)) {
          throw SqlExceptions.of(
              ErrorCode.BAD_CAST,
              "the value of parameter " + (i + 1) + " cannot be used as " + to[i].type().sqlName());
        }
      }
    }
  }

  /** Sets parameters to the values of the next row. */
  public void setRow(ParameterSet parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      switch (kinds[nextKind++]) {
        case LONG -> parameters.setLong(i, longs[nextLong++]);
        case OBJECT -> parameters.setObject(i, objects[nextObject++]);
        default -> parameters.setNull(i);
      }
    }
  }

  /**
   * Passes hints about the next rows to an execution while it accepts them. The position of {@link
   * #setRow} does not change, but the parameters of the execution do.
   *
   * @return the number of rows that were hinted
   */
  public int hintNextRows(StatementExecution execution, int rowsMax) {
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

  public void clear() {
    Arrays.fill(objects, 0, objectCount, null);
    kindCount = 0;
    longCount = 0;
    objectCount = 0;
    rows = 0;
  }
}
