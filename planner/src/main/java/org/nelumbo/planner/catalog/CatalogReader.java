package org.nelumbo.planner.catalog;

import java.util.List;

/** A consistent, immutable snapshot of the catalog, for metadata. */
public interface CatalogReader {
  /** Returns the schema names in order. */
  List<String> schemas();

  /** Returns all tables, views and system views, ordered by schema and name. */
  List<TableInfo> tables();

  /** Returns all sequences, ordered by schema and name. */
  List<SequenceInfo> sequences();

  /** Returns the table or view with these exact names, or null if it does not exist. */
  TableInfo table(String schema, String name);
}
