package org.nelumbo.planner.validate;

import java.util.List;
import org.nelumbo.types.ColumnType;

/**
 * Types of the values that were supplied for the parameters of a statement.
 *
 * @param types types by parameter; null, or absent, if the type is to be inferred
 * @param untyped whether a parameter whose type cannot be inferred has the type of NULL, which is
 *     accepted everywhere, instead of that of a string
 */
public record GivenTypes(List<ColumnType> types, boolean untyped) {
  /** No given types. */
  public static final GivenTypes NONE = new GivenTypes(List.of(), false);

  /** Returns the type of a parameter's value, or null if it is to be inferred. */
  ColumnType get(int index) {
    return index < types.size() ? types.get(index) : null;
  }
}
