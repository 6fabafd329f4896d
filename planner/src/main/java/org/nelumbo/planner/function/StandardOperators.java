package org.nelumbo.planner.function;

import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.checkerframework.checker.nullness.qual.Nullable;

/** Calcite's standard operators, except those that Nelumbo's own fully replace. */
final class StandardOperators implements SqlOperatorTable {
  static final StandardOperators INSTANCE = new StandardOperators();

  private static final Set<SqlOperator> REPLACED =
      Set.of(
          SqlStdOperatorTable.SUM,
          SqlStdOperatorTable.AVG,
          SqlStdOperatorTable.VAR_POP,
          SqlStdOperatorTable.VAR_SAMP,
          SqlStdOperatorTable.VARIANCE,
          SqlStdOperatorTable.STDDEV_POP,
          SqlStdOperatorTable.STDDEV_SAMP,
          SqlStdOperatorTable.STDDEV,
          SqlStdOperatorTable.EXTRACT,
          SqlStdOperatorTable.NTILE,
          SqlStdOperatorTable.OCTET_LENGTH);

  private StandardOperators() {}

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> operators,
      SqlNameMatcher matcher) {
    int before = operators.size();
    SqlStdOperatorTable.instance()
        .lookupOperatorOverloads(name, category, syntax, operators, matcher);
    operators.subList(before, operators.size()).removeIf(REPLACED::contains);
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return SqlStdOperatorTable.instance().getOperatorList().stream()
        .filter(operator -> !REPLACED.contains(operator))
        .toList();
  }
}
