package org.nelumbo.database.ddl;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.parser.ast.CheckConstraint;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.Constraint;
import org.nelumbo.parser.ast.CreateTable;
import org.nelumbo.parser.ast.ForeignKeyConstraint;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.Isolation;

/** Creates a table with the rows of a query (CREATE TABLE ... AS). */
final class TableFiller {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final StoreBuilder stores;
  private final MaintenanceQueries maintenanceQueries;
  private final int defaultVersions;

  TableFiller(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      StoreBuilder stores,
      MaintenanceQueries maintenanceQueries,
      int defaultVersions) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.stores = stores;
    this.maintenanceQueries = maintenanceQueries;
    this.defaultVersions = defaultVersions;
  }

  /**
   * Creates a table that does not exist yet; if its rows are invalid, nothing changes.
   *
   * @param querySchema default schema for unqualified names in the query
   */
  void create(CreateTable create, String schema, String querySchema) {
    for (Constraint constraint : create.constraints()) {
      if (constraint instanceof CheckConstraint || constraint instanceof ForeignKeyConstraint) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "CREATE TABLE ... AS takes keys only; add the constraint with ALTER TABLE afterwards",
            constraint.getParserPosition());
      }
    }
    CatalogState state = catalog.draft();
    PhysicalPlan query =
        maintenanceQueries.planner().plan(create.query(), state, querySchema, Isolation.SNAPSHOT);
    if (!query.parameters().isEmpty()) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "CREATE TABLE ... AS takes no parameters; write the values",
          create.query().getParserPosition());
    }
    TableDefinition definition = definition(create, query, state, schema, querySchema);
    if (!definition.generated().isEmpty()) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "CREATE TABLE ... AS computes no columns; add the generated column with ALTER"
              + " TABLE afterwards",
          create.getParserPosition());
    }
    IndexChanges.checkNames(definition);
    TableStore store = stores.create(definition);
    TableEntry table = catalog.newTable(definition.withRoots(store), store);
    boolean added = false;
    try {
      if (create.withData()
          && create.onCommit() == null) { // a session fills its temporary tables itself
        maintenanceQueries.fill(table, query);
      }
      catalog.addTable(table);
      added = true;
    } finally {
      if (!added) {
        stores.drop(store);
        catalog.discardNumbers(table);
      }
    }
  }

  private TableDefinition definition(
      CreateTable create,
      PhysicalPlan query,
      CatalogState state,
      String schema,
      String querySchema) {
    TableBuilder builder =
        new TableBuilder(create, state, schema, querySchema, frontEnd, catalog::newId);
    List<ColumnDefinition> typed = create.columns();
    if (!typed.isEmpty()) {
      QueryColumns.checkCount(typed, query.columns(), "table");
      return builder.build(defaultVersions);
    }
    List<SqlNode> names = create.names();
    List<Column> columns =
        QueryColumns.of(query.columns(), names, "table", create.query()).stream()
            .map(column -> new Column(column.name(), column.type().orNull(), null, false, false))
            .toList();
    return builder.build(defaultVersions, columns);
  }
}
