package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;

/**
 * Index of a result's columns by label and by name, ignoring case. Of two columns with equal
 * labels, the first one is found.
 */
final class ColumnLabels {
  private final Map<String, Integer> indexes = new HashMap<>();

  ColumnLabels(List<ResultColumn> columns) {
    for (int i = columns.size() - 1; i >= 0; i--) {
      indexes.put(columns.get(i).name().toUpperCase(Locale.ROOT), i);
    }
    for (int i = columns.size() - 1; i >= 0; i--) {
      indexes.put(columns.get(i).label().toUpperCase(Locale.ROOT), i);
      indexes.put(columns.get(i).label(), i);
    }
  }

  int find(String label) throws SQLException {
    Integer index = label == null ? null : indexes.get(label);
    if (index == null && label != null) {
      index = indexes.get(label.toUpperCase(Locale.ROOT));
      if (index != null) {
        indexes.put(label, index);
      }
    }
    if (index == null) {
      throw SqlExceptions.of(ErrorCode.NO_SUCH_COLUMN, "the result has no column '" + label + "'");
    }
    return index;
  }
}
