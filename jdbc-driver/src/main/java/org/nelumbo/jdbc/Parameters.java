package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.planner.ParameterInfo;
import org.nelumbo.planner.StatementExecution;

/**
 * The parameters of a prepared statement: every raw value goes to the execution, and is kept here
 * too for {@code addBatch}. Arrays are made once.
 */
final class Parameters {
  private static final byte UNSET = 0;
  private static final byte NULL = 1;
  private static final byte LONG = 2;
  private static final byte OBJECT = 3;

  private final StatementExecution execution;
  private ParameterInfo[] infos;
  private final byte[] states;
  private final long[] longs;
  private final Object[] objects;

  Parameters(StatementExecution execution, List<ParameterInfo> parameters) {
    this.execution = execution;
    infos = parameters.toArray(new ParameterInfo[0]);
    states = new byte[infos.length];
    longs = new long[infos.length];
    objects = new Object[infos.length];
  }

  /** The statement was planned again: its parameters' types may be others now. */
  void retype(List<ParameterInfo> parameters) {
    infos = parameters.toArray(infos);
  }

  int count() {
    return infos.length;
  }

  /** The parameter a user calls {@code number}, from 1. */
  ParameterInfo info(int number) throws SQLException {
    if (number < 1 || number > infos.length) {
      throw noSuch(number);
    }
    return infos[number - 1];
  }

  private SQLException noSuch(int number) {
    return Errors.of(
        ErrorCode.BAD_INDEX,
        "there is no parameter "
            + number
            + "; the statement has "
            + infos.length
            + ", counted from 1");
  }

  void setNull(int index) {
    execution.setNull(index);
    states[index] = NULL;
  }

  void setLong(int index, long value) {
    execution.setLong(index, value);
    longs[index] = value;
    states[index] = LONG;
  }

  void setObject(int index, Object value) {
    execution.setObject(index, value);
    objects[index] = value;
    states[index] = OBJECT;
  }

  void clear() {
    execution.clearParameters();
    Arrays.fill(states, UNSET);
    Arrays.fill(objects, null);
  }

  /** Appends the present values to a batch. */
  void addTo(ParameterBatch batch) throws SQLException {
    for (int i = 0; i < states.length; i++) {
      if (states[i] == UNSET) {
        throw Errors.of(ErrorCode.PARAMETER_NOT_SET, "parameter " + (i + 1) + " is not set");
      }
    }
    batch.startRow();
    for (int i = 0; i < states.length; i++) {
      switch (states[i]) {
        case LONG -> batch.addLong(longs[i]);
        case OBJECT -> batch.addObject(objects[i]);
        default -> batch.addNull();
      }
    }
  }
}
