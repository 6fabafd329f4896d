package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * An index as presented to readers of the catalog.
 *
 * @param primary whether it is the primary key's index
 * @param condition the condition of a partial index as SQL text; null if it contains all rows
 * @param remarks the text of COMMENT ON; null if there is none
 */
public record IndexInfo(
    String schema,
    String name,
    boolean unique,
    boolean primary,
    List<IndexColumn> columns,
    String condition,
    String remarks) {

  /**
   * A column or expression of an index, in key order. NULLs come first in ascending and last in
   * descending order.
   */
  public record IndexColumn(String name, boolean ascending) {}
}
