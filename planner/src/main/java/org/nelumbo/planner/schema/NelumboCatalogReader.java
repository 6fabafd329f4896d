package org.nelumbo.planner.schema;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.type.NelumboTypeFactory;

/** Resolves unqualified names first among a session's temporary tables, then in its schema. */
public final class NelumboCatalogReader extends CalciteCatalogReader {
  private final CatalogState state;
  private final String defaultSchema;

  public NelumboCatalogReader(
      CalciteSchema root,
      CatalogState state,
      String defaultSchema,
      CalciteConnectionConfig config) {
    super(
        root,
        SqlNameMatchers.withCaseSensitive(true),
        path(state.temporarySchema(), defaultSchema),
        NelumboTypeFactory.INSTANCE,
        config);
    this.state = state;
    this.defaultSchema = defaultSchema;
  }

  /** Returns true if a name is that of a sequence. */
  public boolean isSequence(List<String> names) {
    String schema = names.size() > 1 ? names.get(names.size() - 2) : defaultSchema;
    return state.hasSchema(schema)
        && state.relation(schema, names.getLast()) instanceof SequenceEntry;
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
