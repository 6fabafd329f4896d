package org.nelumbo.planner.validate;

import java.util.List;
import org.nelumbo.types.ColumnType;

/**
 * Types of the values that the parameters of a statement have been given.
 *
 * @param types by parameter; null, or none, for those to be inferred
 * @param untyped whether a parameter whose place tells no type has the type of NULL, which any
 *     place takes, and not that of text
 */
public record GivenTypes(List<ColumnType> types, boolean untyped) {
  /** Nothing is given. */
  public static final GivenTypes NONE = new GivenTypes(List.of(), false);

  /** Returns the type of a parameter's value; null if it is to be inferred. */
  ColumnType get(int index) {
    return index < types.size() ? types.get(index) : null;
  }
}
