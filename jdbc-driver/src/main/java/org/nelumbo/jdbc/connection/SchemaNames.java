package org.nelumbo.jdbc.connection;

import java.util.List;
import java.util.Locale;
import org.nelumbo.planner.catalog.CatalogReader;

/** Resolution of schema names as callers write them. */
public final class SchemaNames {
  private SchemaNames() {}

  /** Returns the name as it is if there is such a schema, else as SQL reads it unquoted. */
  public static String resolve(CatalogReader catalog, String name) {
    List<String> schemas = catalog.schemas();
    String upper = name.toUpperCase(Locale.ROOT);
    return !schemas.contains(name) && schemas.contains(upper) ? upper : name;
  }
}
