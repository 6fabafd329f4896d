package org.nelumbo.planner.schema;

import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.catalog.ViewEntry;

/** Converts a version of the catalog to a tree of Calcite schemas. */
public final class CatalogSchemas {
  private CatalogSchemas() {}

  public static CalciteSchema of(CatalogState state) {
    CalciteSchema root = CalciteSchema.createRootSchema(false, false, "");
    for (String name : state.schemaNames()) {
      root.add(name, schema(state, name, Map.of()));
    }
    return root;
  }

  /**
   * Converts a version of the catalog, and shares unchanged schemas and tables with the tree of
   * another version.
   */
  public static CalciteSchema of(CatalogState state, CatalogState known, CalciteSchema tree) {
    CalciteSchema root = CalciteSchema.createRootSchema(false, false, "");
    for (String name : state.schemaNames()) {
      CalciteSchema present = tree.getSubSchemaMap().get(name);
      if (present == null) {
        root.add(name, schema(state, name, Map.of()));
      } else if (state.hasSameRelations(known, name)) {
        root.add(name, present.schema);
      } else {
        root.add(name, schema(state, name, ((FixedSchema) present.schema).tables));
      }
    }
    return root;
  }

  /** Returns a tree that includes the temporary tables of the session. */
  public static CalciteSchema withTemporary(CalciteSchema common, CatalogState state) {
    CalciteSchema root = CalciteSchema.createRootSchema(false, false, "");
    common.getSubSchemaMap().forEach((name, each) -> root.add(name, each.schema));
    AbstractSchema temporary = schema(state, state.temporarySchema(), Map.of());
    root.add(state.temporarySchema(), temporary);
    root.add(TemporarySchema.ALIAS, temporary);
    return root;
  }

  private static AbstractSchema schema(CatalogState state, String name, Map<String, Table> known) {
    Map<String, Table> tables = new HashMap<>();
    for (Relation relation : state.relations(name)) {
      switch (relation) {
        case SequenceEntry _ -> {}
        case ViewEntry view -> tables.put(view.name(), new CatalogView(view));
        default -> {
          boolean isKnown =
              known.get(relation.name()) instanceof CatalogTable table
                  && table.relation() == relation;
          tables.put(
              relation.name(), isKnown ? known.get(relation.name()) : new CatalogTable(relation));
        }
      }
    }
    return new FixedSchema(tables);
  }

  private static final class FixedSchema extends AbstractSchema {
    private final Map<String, Table> tables;

    FixedSchema(Map<String, Table> tables) {
      this.tables = tables;
    }

    @Override
    protected Map<String, Table> getTableMap() {
      return tables;
    }
  }
}
