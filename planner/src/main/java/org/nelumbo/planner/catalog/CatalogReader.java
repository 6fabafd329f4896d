package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * A consistent snapshot of the catalogue, for metadata. Immutable except for row estimates, which
 * are taken when asked.
 */
public interface CatalogReader {
  /** Schema names in order. */
  List<String> schemas();

  /** All tables and system views, ordered by schema and name. */
  List<TableInfo> tables();

  /** All sequences, ordered by schema and name. */
  List<SequenceInfo> sequences();

  /** A table by its exact names; null if there is none. */
  TableInfo table(String schema, String name);
}
