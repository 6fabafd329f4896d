package org.nelumbo.jdbc.result;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.database.BufferedRows;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.StatementExecution;

/** Generated keys of one or more runs, kept until {@code getGeneratedKeys}. */
public final class GeneratedKeyRows {
  private List<ResultColumn> columns = List.of();
  private final List<Object[]> rows = new ArrayList<>();

  /** Returns the keys of the latest run. */
  public static GeneratedKeyRows of(StatementExecution execution) {
    GeneratedKeyRows keys = new GeneratedKeyRows();
    keys.add(execution);
    return keys;
  }

  /** Adds the keys of the latest run. */
  public void add(StatementExecution execution) {
    columns = execution.generatedKeyColumns();
    rows.addAll(BufferedRows.read(execution.generatedKeys(), columns));
  }

  public int size() {
    return rows.size();
  }

  /** Removes the keys after the first {@code size}: they belong to runs that were rolled back. */
  public void truncate(int size) {
    rows.subList(size, rows.size()).clear();
  }

  public ResultSet open() throws SQLException {
    return NelumboResultSet.detached(rows, columns, ResultSetType.FORWARD_ONLY);
  }
}
