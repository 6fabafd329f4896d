package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The functions that users may call: those of the standard, and widely used additions. The
 * translator decides which of them are executable.
 */
public final class NelumboOperators {
  /** The operator table. */
  public static final SqlOperatorTable TABLE = new Table();

  private NelumboOperators() {}

  /** Loaded with the first lookup that may find one of Nelumbo's own operators. */
  private static final class Own {
    static final SqlOperatorTable TABLE =
        SqlOperatorTables.chain(
            SqlOperatorTables.of(AddedFunctions.all()),
            SqlOperatorTables.of(
                NextValueFunction.INSTANCE,
                SeriesFunction.INSTANCE,
                NtileFunction.INSTANCE,
                TimestampFunction.CURRENT,
                TimestampFunction.LOCAL));
  }

  /**
   * Nelumbo's own operators, then the standard ones, because the first of two with one name is
   * used.
   */
  private static final class Table implements SqlOperatorTable {
    @Override
    public void lookupOperatorOverloads(
        SqlIdentifier name,
        @Nullable SqlFunctionCategory category,
        SqlSyntax syntax,
        List<SqlOperator> operators,
        SqlNameMatcher matcher) {
      if (mayBeOwn(syntax)) {
        Own.TABLE.lookupOperatorOverloads(name, category, syntax, operators, matcher);
      }
      StandardOperators.INSTANCE.lookupOperatorOverloads(
          name, category, syntax, operators, matcher);
    }

    @Override
    public List<SqlOperator> getOperatorList() {
      List<SqlOperator> all = new ArrayList<>(Own.TABLE.getOperatorList());
      all.addAll(StandardOperators.INSTANCE.getOperatorList());
      return all;
    }
  }

  /** Returns false for comparisons, arithmetic and logic: all of these are standard operators. */
  static boolean mayBeOwn(SqlSyntax syntax) {
    return switch (syntax.family) {
      case BINARY, PREFIX, POSTFIX -> false;
      default -> true;
    };
  }

  /** Returns Nelumbo's own operators. */
  static List<SqlOperator> own() {
    return Own.TABLE.getOperatorList();
  }

  /** Returns the names of functions beyond the standard, in alphabetical order. */
  public static Set<String> addedNames() {
    Set<String> names = new TreeSet<>(ReplacedFunctions.names());
    for (SqlOperator operator : AddedFunctions.all()) {
      names.add(operator.getName().replace("TRANSLATE3", "TRANSLATE"));
    }
    return names;
  }
}
