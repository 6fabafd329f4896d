package org.nelumbo.planner.function;

import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/**
 * The functions that users may call: those of the standard, and widely used additions. The
 * translator decides which of them are executable.
 */
public final class NelumboOperators {
  /**
   * The operator table. Nelumbo's own operators come first, because the first of two with one name
   * is used.
   */
  public static final SqlOperatorTable TABLE =
      SqlOperatorTables.chain(
          SqlOperatorTables.of(AddedFunctions.all()),
          SqlOperatorTables.of(
              NextValueFunction.INSTANCE,
              SeriesFunction.INSTANCE,
              NtileFunction.INSTANCE,
              TimestampFunction.CURRENT,
              TimestampFunction.LOCAL),
          StandardOperators.INSTANCE);

  private NelumboOperators() {}

  /** Returns the names of functions beyond the standard, in alphabetical order. */
  public static Set<String> addedNames() {
    Set<String> names = new TreeSet<>(ReplacedFunctions.names());
    for (SqlOperator operator : AddedFunctions.all()) {
      names.add(operator.getName().replace("TRANSLATE3", "TRANSLATE"));
    }
    return names;
  }
}
