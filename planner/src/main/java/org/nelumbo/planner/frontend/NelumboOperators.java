package org.nelumbo.planner.frontend;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;

/**
 * The functions users may call: the standard's, and the few others that everybody uses. Which of
 * them can be run is decided where they are translated.
 */
public final class NelumboOperators {
  private static final List<SqlOperator> OTHERS =
      List.of(
          SqlLibraryOperators.LENGTH,
          SqlLibraryOperators.SUBSTR_POSTGRESQL,
          SqlLibraryOperators.CONCAT_FUNCTION_WITH_NULL,
          SqlLibraryOperators.LEFT,
          SqlLibraryOperators.RIGHT,
          SqlLibraryOperators.LTRIM,
          SqlLibraryOperators.RTRIM,
          SqlLibraryOperators.NVL,
          SqlLibraryOperators.IFNULL,
          SqlLibraryOperators.GREATEST,
          SqlLibraryOperators.LEAST);

  static final SqlOperatorTable TABLE =
      SqlOperatorTables.chain(SqlStdOperatorTable.instance(), SqlOperatorTables.of(OTHERS));

  private NelumboOperators() {}

  /** Names of functions of a category, for metadata. */
  public static Set<String> functionNames(SqlFunctionCategory category) {
    Set<String> names = new TreeSet<>();
    for (SqlOperator operator : TABLE.getOperatorList()) {
      if (operator instanceof SqlFunction function
          && function.getFunctionType() == category
          && !operator.getName().startsWith("$")) {
        names.add(operator.getName().toUpperCase(Locale.ROOT));
      }
    }
    return names;
  }
}
