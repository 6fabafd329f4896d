package org.nelumbo.jdbc.connection;

import java.util.List;
import java.util.Locale;
import org.nelumbo.planner.catalog.CatalogReader;

/** Resolves schema names that callers pass. */
public final class SchemaNames {
  private SchemaNames() {}

  /** Returns the name unchanged if a schema has it, otherwise the name as SQL reads it unquoted. */
  public static String resolve(CatalogReader catalog, String name) {
    List<String> schemas = catalog.schemas();
    String upper = name.toUpperCase(Locale.ROOT);
    return !schemas.contains(name) && schemas.contains(upper) ? upper : name;
  }
}
