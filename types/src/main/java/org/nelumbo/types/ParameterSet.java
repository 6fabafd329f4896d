package org.nelumbo.types;

import java.util.Arrays;

/**
 * Raw values of a statement's parameters, counted from 0. This is the only place where they lie:
 * the driver writes them here, expressions read them through their frame, and they stay when the
 * statement is planned again. Setting a {@code long} makes no garbage. One thread at a time.
 */
public final class ParameterSet {
  /** For statements without parameters; it has no value that could change. */
  public static final ParameterSet EMPTY = new ParameterSet(0);

  private static final byte UNSET = 0;
  private static final byte NULL = 1;
  private static final byte LONG = 2;
  private static final byte OBJECT = 3;

  private final byte[] states;
  private final long[] longs;
  private final Object[] objects;

  public ParameterSet(int size) {
    states = new byte[size];
    longs = new long[size];
    objects = new Object[size];
  }

  public int size() {
    return states.length;
  }

  public void setNull(int parameter) {
    states[parameter] = NULL;
    objects[parameter] = null;
  }

  public void setLong(int parameter, long raw) {
    states[parameter] = LONG;
    longs[parameter] = raw;
  }

  /** Sets a parameter of an object type; null is NULL. */
  public void setObject(int parameter, Object raw) {
    states[parameter] = raw == null ? NULL : OBJECT;
    objects[parameter] = raw;
  }

  /** Forgets all values. */
  public void clear() {
    Arrays.fill(states, UNSET);
    Arrays.fill(objects, null);
  }

  /** Takes over the values of another set of the same size, also which of them are not set. */
  public void copyFrom(ParameterSet other) {
    System.arraycopy(other.states, 0, states, 0, states.length);
    System.arraycopy(other.longs, 0, longs, 0, longs.length);
    System.arraycopy(other.objects, 0, objects, 0, objects.length);
  }

  /** A set with these values. */
  public ParameterSet copy() {
    ParameterSet copy = new ParameterSet(states.length);
    copy.copyFrom(this);
    return copy;
  }

  /** The first parameter without a value, or -1. */
  public int firstUnset() {
    for (int i = 0; i < states.length; i++) {
      if (states[i] == UNSET) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a parameter is NULL, or has no value. */
  public boolean isNull(int parameter) {
    return states[parameter] <= NULL;
  }

  /** Whether the value was set by {@link #setLong}. */
  public boolean isLong(int parameter) {
    return states[parameter] == LONG;
  }

  /** The value of a {@code long} type; meaningless if the parameter is NULL. */
  public long longAt(int parameter) {
    return longs[parameter];
  }

  /** The value of an object type; null if it is NULL. */
  public Object objectAt(int parameter) {
    return objects[parameter];
  }
}
