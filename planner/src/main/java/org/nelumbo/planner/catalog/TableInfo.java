package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * A table or system view as the catalogue's readers see it.
 *
 * @param primaryKey names of the primary key's columns in key order; empty if there is none
 * @param primaryKeyName name of the primary key constraint; null if there is none
 * @param indexes secondary indexes and the primary one
 * @param rowEstimate about how many rows there are; -1 if nobody knows
 * @param sql the query of a view; null for all others
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
  /** TABLE, VIEW or SYSTEM VIEW. */
  public String type() {
    return system ? "SYSTEM VIEW" : sql == null ? "TABLE" : "VIEW";
  }
}
