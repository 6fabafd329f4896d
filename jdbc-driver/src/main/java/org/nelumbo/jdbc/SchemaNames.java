package org.nelumbo.jdbc;

import java.util.List;
import java.util.Locale;
import org.nelumbo.planner.catalog.CatalogReader;

/** Names of schemas as callers write them. */
final class SchemaNames {
  private SchemaNames() {}

  /** The name as it stands if there is such a schema, else as SQL would read it without quotes. */
  static String resolve(CatalogReader catalog, String name) {
    List<String> schemas = catalog.schemas();
    String upper = name.toUpperCase(Locale.ROOT);
    return !schemas.contains(name) && schemas.contains(upper) ? upper : name;
  }
}
