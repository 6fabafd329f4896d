package org.nelumbo.planner.function;

import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/**
 * The functions users may call: the standard's, and the few others that everybody uses. Which of
 * them can be run is decided where they are translated.
 */
public final class NelumboOperators {
  /** Ours come first: of two with one name the first is meant. */
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

  /** Names of functions that the standard does not have, in alphabetical order. */
  public static Set<String> addedNames() {
    Set<String> names = new TreeSet<>(ReplacedFunctions.names());
    for (SqlOperator operator : AddedFunctions.all()) {
      names.add(operator.getName().replace("TRANSLATE3", "TRANSLATE"));
    }
    return names;
  }
}
