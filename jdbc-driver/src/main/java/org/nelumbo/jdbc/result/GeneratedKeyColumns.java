package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.ResultColumn;

/** Columns of inserted rows that a caller requests as generated keys. */
public sealed interface GeneratedKeyColumns {
  GeneratedKeyColumns NONE = new None();

  /** Returns indexes into the plan's {@code generatedKeyColumns}, or null for no columns. */
  int[] columns(PreparedStatementPlan plan) throws SQLException;

  static GeneratedKeyColumns flag(int flag) throws SQLException {
    return switch (flag) {
      case Statement.NO_GENERATED_KEYS -> NONE;
      case Statement.RETURN_GENERATED_KEYS -> new Generated();
      default ->
          throw SqlExceptions.badParameter(
              flag + " is neither RETURN_GENERATED_KEYS nor NO_GENERATED_KEYS");
    };
  }

  static GeneratedKeyColumns indexes(int[] indexes) {
    return indexes == null || indexes.length == 0 ? NONE : new Indexes(indexes.clone());
  }

  static GeneratedKeyColumns names(String[] names) {
    return names == null || names.length == 0 ? NONE : new Names(names.clone());
  }

  /** No columns. */
  record None() implements GeneratedKeyColumns {
    @Override
    public int[] columns(PreparedStatementPlan plan) {
      return null;
    }
  }

  /** Columns that the engine generates; if there are none, the primary key. */
  record Generated() implements GeneratedKeyColumns {
    @Override
    public int[] columns(PreparedStatementPlan plan) {
      List<ResultColumn> columns = plan.generatedKeyColumns();
      if (columns.isEmpty()) {
        return null;
      }
      int[] identity =
          IntStream.range(0, columns.size()).filter(i -> columns.get(i).identity()).toArray();
      return identity.length > 0 ? identity : plan.primaryKeyColumns();
    }
  }

  /** Columns of the table by number, from 1. */
  record Indexes(int[] indexes) implements GeneratedKeyColumns {
    @Override
    public int[] columns(PreparedStatementPlan plan) throws SQLException {
      int count = plan.generatedKeyColumns().size();
      if (count == 0) {
        return null;
      }
      int[] columns = new int[indexes.length];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = indexes[i] - 1;
        if (columns[i] < 0 || columns[i] >= count) {
          throw SqlExceptions.of(
              ErrorCode.NO_SUCH_COLUMN,
              "there is no column " + indexes[i] + "; the table has " + count);
        }
      }
      return columns;
    }
  }

  /** Columns of the table by name, ignoring case. */
  record Names(String[] names) implements GeneratedKeyColumns {
    @Override
    public int[] columns(PreparedStatementPlan plan) throws SQLException {
      if (plan.generatedKeyColumns().isEmpty()) {
        return null;
      }
      ColumnLabels labels = new ColumnLabels(plan.generatedKeyColumns());
      int[] columns = new int[names.length];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = labels.find(names[i]);
      }
      return columns;
    }
  }
}
