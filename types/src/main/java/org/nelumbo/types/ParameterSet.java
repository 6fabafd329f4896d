package org.nelumbo.types;

import java.util.Arrays;

/**
 * The raw values of a statement's parameters, numbered from 0. Parameter values are stored only
 * here: the driver writes them, expressions read them through their frame, and they keep their
 * values when the statement is planned again. Setting a {@code long} makes no garbage. Not
 * thread-safe.
 */
public final class ParameterSet {
  /** Parameters of a statement that has none; it has no value that could be modified. */
  public static final ParameterSet EMPTY = new ParameterSet(0);

  private static final byte UNSET = 0;
  private static final byte NULL = 1;
  private static final byte LONG = 2;
  private static final byte OBJECT = 3;

  private final byte[] states;
  private final long[] longs;
  private final Object[] objects;

  /** Creates a set of {@code size} unset parameters. */
  public ParameterSet(int size) {
    states = new byte[size];
    longs = new long[size];
    objects = new Object[size];
  }

  /** Returns the number of parameters. */
  public int size() {
    return states.length;
  }

  /** Sets a parameter to NULL. */
  public void setNull(int parameter) {
    states[parameter] = NULL;
    objects[parameter] = null;
  }

  /** Sets a parameter of a {@code long} type. */
  public void setLong(int parameter, long raw) {
    states[parameter] = LONG;
    longs[parameter] = raw;
  }

  /** Sets a parameter of an object type. A null value means NULL. */
  public void setObject(int parameter, Object raw) {
    states[parameter] = raw == null ? NULL : OBJECT;
    objects[parameter] = raw;
  }

  /** Removes all values; every parameter is unset afterwards. */
  public void clear() {
    Arrays.fill(states, UNSET);
    Arrays.fill(objects, null);
  }

  /** Copies the values of another set of the same size, including the unset ones. */
  public void copyFrom(ParameterSet other) {
    System.arraycopy(other.states, 0, states, 0, states.length);
    System.arraycopy(other.longs, 0, longs, 0, longs.length);
    System.arraycopy(other.objects, 0, objects, 0, objects.length);
  }

  /** Returns a new set with the values of this one. */
  public ParameterSet copy() {
    ParameterSet copy = new ParameterSet(states.length);
    copy.copyFrom(this);
    return copy;
  }

  /** Returns the index of the first unset parameter, or -1 if all are set. */
  public int firstUnset() {
    for (int i = 0; i < states.length; i++) {
      if (states[i] == UNSET) {
        return i;
      }
    }
    return -1;
  }

  /** Returns true if a parameter is NULL or unset. */
  public boolean isNull(int parameter) {
    return states[parameter] <= NULL;
  }

  /** Returns true if the value was set by {@link #setLong}. */
  public boolean isLong(int parameter) {
    return states[parameter] == LONG;
  }

  /** Returns the value of a {@code long} type; undefined if the parameter is NULL. */
  public long longAt(int parameter) {
    return longs[parameter];
  }

  /** Returns the value of an object type, or null if the parameter is NULL. */
  public Object objectAt(int parameter) {
    return objects[parameter];
  }
}
