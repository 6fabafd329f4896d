package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * An index as the catalogue's readers see it.
 *
 * @param primary whether it is the one over the primary key
 * @param condition which rows it is of, as SQL; null: of all of them
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
   * A column of an index, or an expression, in key order; NULLs come first ascending, last
   * descending.
   */
  public record IndexColumn(String name, boolean ascending) {}
}
