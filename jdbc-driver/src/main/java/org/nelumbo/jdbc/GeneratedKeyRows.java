package org.nelumbo.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.planner.BufferedRows;
import org.nelumbo.planner.ResultColumn;
import org.nelumbo.planner.StatementExecution;

/** Rows of generated keys of one or more runs, kept until {@code getGeneratedKeys}. */
final class GeneratedKeyRows {
  private List<ResultColumn> columns = List.of();
  private final List<Object[]> rows = new ArrayList<>();

  /** Keys of the last run. */
  static GeneratedKeyRows of(StatementExecution execution) {
    GeneratedKeyRows keys = new GeneratedKeyRows();
    keys.add(execution);
    return keys;
  }

  /** Adds the keys of the last run. */
  void add(StatementExecution execution) {
    columns = execution.generatedKeyColumns();
    rows.addAll(BufferedRows.read(execution.generatedKeys(), columns));
  }

  int size() {
    return rows.size();
  }

  /** Forgets keys beyond a size: those of runs that were rolled back. */
  void truncate(int size) {
    rows.subList(size, rows.size()).clear();
  }

  ResultSet open() throws SQLException {
    return NelumboResultSet.detached(rows, columns, ResultSetType.FORWARD_ONLY);
  }
}
