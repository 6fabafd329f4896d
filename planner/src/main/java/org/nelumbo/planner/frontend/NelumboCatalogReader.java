package org.nelumbo.planner.frontend;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql.validate.SqlNameMatchers;

/** Looks names without schema up among a session's temporary tables, then in its schema. */
final class NelumboCatalogReader extends CalciteCatalogReader {
  NelumboCatalogReader(
      CalciteSchema root,
      String temporaryOrNull,
      String defaultSchema,
      CalciteConnectionConfig config) {
    super(
        root,
        SqlNameMatchers.withCaseSensitive(true),
        path(temporaryOrNull, defaultSchema),
        NelumboTypeFactory.INSTANCE,
        config);
  }

  private static List<List<String>> path(String temporaryOrNull, String defaultSchema) {
    List<List<String>> path = new ArrayList<>();
    if (temporaryOrNull != null) {
      path.add(List.of(temporaryOrNull));
    }
    path.add(List.of(defaultSchema));
    path.add(List.of());
    return path;
  }
}
