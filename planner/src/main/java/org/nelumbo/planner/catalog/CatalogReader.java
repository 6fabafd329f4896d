package org.nelumbo.planner.catalog;

import java.util.List;

/**
 * A consistent snapshot of the catalog, for metadata. Immutable except for row estimates, which are
 * taken on demand.
 */
public interface CatalogReader {
  /** Returns the schema names in order. */
  List<String> schemas();

  /** Returns all tables and system views, ordered by schema and name. */
  List<TableInfo> tables();

  /** Returns all sequences, ordered by schema and name. */
  List<SequenceInfo> sequences();

  /** Returns the table with these exact names, or null if it does not exist. */
  TableInfo table(String schema, String name);
}
