package org.nelumbo.planner.catalog;

import java.util.List;

/** An index as the catalogue's readers see it; {@code primary} is the one over the primary key. */
public record IndexInfo(
    String schema, String name, boolean unique, boolean primary, List<IndexColumn> columns) {

  /** A column of an index in key order; NULLs come first ascending, last descending. */
  public record IndexColumn(String name, boolean ascending) {}
}
