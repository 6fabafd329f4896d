package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * A table or view as presented to readers of the catalog.
 *
 * @param primaryKey names of the primary key's columns in key order; empty if there is none
 * @param primaryKeyName name of the primary key constraint; null if there is none
 * @param indexes secondary indexes and the primary one
 * @param rowEstimate approximate number of rows; -1 if unknown
 * @param sql the query of a view; null otherwise
 * @param remarks the text of COMMENT ON; null if there is none
 */
public record TableInfo(
    String schema,
    String name,
    boolean system,
    List<ColumnInfo> columns,
    List<String> primaryKey,
    String primaryKeyName,
    List<IndexInfo> indexes,
    List<ForeignKeyInfo> foreignKeys,
    long rowEstimate,
    String sql,
    String remarks) {
  /** Returns TABLE, VIEW or SYSTEM VIEW. */
  public String type() {
    return system ? "SYSTEM VIEW" : sql == null ? "TABLE" : "VIEW";
  }
}
