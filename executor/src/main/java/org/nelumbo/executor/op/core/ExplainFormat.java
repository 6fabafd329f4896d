package org.nelumbo.executor.op.core;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;

/** Formats parts of EXPLAIN lines: lock modes, key columns, lists. */
public final class ExplainFormat {
  private ExplainFormat() {}

  /** Returns the suffix for a lock mode; empty unless it is WRITE. */
  public static String lock(LockMode lockMode) {
    return lockMode == LockMode.WRITE ? " FOR UPDATE" : "";
  }

  /** Returns the names of the primary key columns, in key order. */
  public static String[] keyColumns(TableSchema table) {
    return names(table, table.primaryKey());
  }

  /** Returns the names of an index's columns, in their order. */
  public static String[] keyColumns(IndexStore index) {
    TableSchema table = index.table().schema();
    IndexSchema schema = index.schema();
    return schema == null ? keyColumns(table) : names(table, schema.columns());
  }

  private static String[] names(TableSchema table, int[] columns) {
    String[] names = new String[columns.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = table.column(columns[i]).name();
    }
    return names;
  }

  /** Returns the name of an index; for a primary index the name of the table. */
  public static String index(IndexStore index) {
    String table = index.table().schema().name();
    return index.schema() == null ? table : table + "." + index.schema().name();
  }

  /** Returns the expressions, separated by commas. */
  public static String list(Expression[] expressions) {
    StringBuilder text = new StringBuilder();
    for (Expression expression : expressions) {
      text.append(text.isEmpty() ? "" : ", ").append(expression);
    }
    return text.toString();
  }
}
