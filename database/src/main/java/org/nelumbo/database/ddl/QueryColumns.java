package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.ResultColumn;

/** Derives the columns of a view or a table from a query. */
final class QueryColumns {
  private QueryColumns() {}

  /**
   * Returns columns with the given names, and then with the names in the query; throws on
   * duplicates.
   *
   * @param names names of the first columns
   * @param what kind of the new object, for messages
   */
  static List<Column> of(
      List<ResultColumn> given, List<? extends SqlNode> names, String what, SqlNode query) {
    if (names.size() > given.size()) {
      checkCount(names, given, what);
    }
    List<Column> columns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String name =
          i >= names.size()
              ? given.get(i).label()
              : ObjectNames.simple((SqlIdentifier) names.get(i));
      if (!seen.add(name)) {
        throw SqlErrors.at(
            ErrorCode.COLUMN_EXISTS,
            "Column '" + name + "' occurs twice; name the columns with AS",
            query.getParserPosition());
      }
      columns.add(new Column(name, given.get(i).type(), null, false, false));
    }
    return columns;
  }

  /** Rejects a list of column names whose length differs from the number of the query's columns. */
  static void checkCount(List<? extends SqlNode> named, List<ResultColumn> given, String what) {
    if (named.size() != given.size()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "the " + what + " names " + named.size() + " columns and its query has " + given.size(),
          named.getFirst().getParserPosition());
    }
  }
}
