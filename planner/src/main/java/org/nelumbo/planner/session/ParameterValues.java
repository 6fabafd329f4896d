package org.nelumbo.planner.session;

import java.util.Arrays;
import org.nelumbo.executor.plan.PlanExecution;

/** Values of parameters, kept apart from a plan's execution so that they survive planning anew. */
final class ParameterValues {
  private static final byte UNSET = 0;
  private static final byte NULL = 1;
  private static final byte LONG = 2;
  private static final byte OBJECT = 3;

  private final byte[] states;
  private final long[] longs;
  private final Object[] objects;

  ParameterValues(int count) {
    this.states = new byte[count];
    this.longs = new long[count];
    this.objects = new Object[count];
  }

  void setNull(int parameter) {
    states[parameter] = NULL;
  }

  void setLong(int parameter, long value) {
    states[parameter] = LONG;
    longs[parameter] = value;
  }

  void setObject(int parameter, Object value) {
    states[parameter] = OBJECT;
    objects[parameter] = value;
  }

  void clear() {
    Arrays.fill(states, UNSET);
    Arrays.fill(objects, null);
  }

  int count() {
    return states.length;
  }

  /** Gives the values to an execution. */
  void copyTo(PlanExecution execution) {
    for (int i = 0; i < states.length; i++) {
      switch (states[i]) {
        case NULL -> execution.setNull(i);
        case LONG -> execution.setLong(i, longs[i]);
        case OBJECT -> execution.setObject(i, objects[i]);
        default -> {}
      }
    }
  }
}
