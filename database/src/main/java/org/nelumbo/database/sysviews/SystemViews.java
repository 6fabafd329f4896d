package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.addLocal;
import static org.nelumbo.database.sysviews.ViewColumns.bool;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.raw;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.database.AttachReport;
import org.nelumbo.database.plancache.PlanCache;
import org.nelumbo.database.plancache.PlanInvalidator;
import org.nelumbo.database.session.LocalSession;
import org.nelumbo.database.session.SessionRegistry;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.limit.MemoryBudget;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogSnapshots;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.ColumnInfo;
import org.nelumbo.planner.catalog.IndexInfo;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceDefinition;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableInfo;

/**
 * The views of schema SYS about schemas, tables and sessions. This class also adds all other views.
 */
public final class SystemViews {
  private final Engine engine;
  private final Catalog catalog;
  private final SessionRegistry sessions;

  SystemViews(Engine engine, Catalog catalog, SessionRegistry sessions) {
    this.engine = engine;
    this.catalog = catalog;
    this.sessions = sessions;
  }

  /**
   * Adds all views of schema SYS to the catalog of a database.
   *
   * @param memberOrNull supplies this compute node as a member of a shared pool; null if the pool
   *     is exclusive
   * @param ownName display name of this compute node
   */
  public static void addAll(
      Engine engine,
      Catalog catalog,
      PlanCache planCache,
      PlanInvalidator planInvalidator,
      SessionRegistry sessions,
      AttachReport attach,
      Supplier<ClusterMember> memberOrNull,
      Supplier<String> ownName) {
    SystemViews views = new SystemViews(engine, catalog, sessions);
    views.addSchemaViews();
    new ActivityViews(engine, catalog, planCache, sessions).register();
    new MemoryView(engine, catalog, planInvalidator).register();
    new PoolView(attach).addTo(catalog);
    AttachesView.addTo(catalog);
    new MemoryNodesView(engine).addTo(catalog);
    new CachesView(engine).addTo(catalog);
    new PartitionsView(engine).addTo(catalog);
    new ComputeNodesView(engine, attach, memberOrNull, ownName).addTo(catalog);
    views.addSessions();
  }

  private void addSchemaViews() {
    add(catalog, "SCHEMAS", this::schemas, text("SCHEMA_NAME"), optionalText("REMARKS"));
    add(
        catalog,
        "TABLES",
        this::tables,
        text("SCHEMA_NAME"),
        text("TABLE_NAME"),
        text("TABLE_TYPE"),
        number("COLUMN_COUNT"),
        number("INDEX_COUNT"),
        optionalText("REMARKS"));
    add(
        catalog,
        "COLUMNS",
        this::columns,
        text("SCHEMA_NAME"),
        text("TABLE_NAME"),
        text("COLUMN_NAME"),
        number("ORDINAL"),
        text("DATA_TYPE"),
        bool("NULLABLE"),
        optionalText("COLUMN_DEFAULT"),
        bool("IDENTITY"),
        optionalText("GENERATION"),
        optionalText("REMARKS"));
    add(
        catalog,
        "INDEXES",
        this::indexes,
        text("SCHEMA_NAME"),
        text("TABLE_NAME"),
        text("INDEX_NAME"),
        bool("IS_UNIQUE"),
        bool("IS_PRIMARY"),
        number("ORDINAL"),
        text("COLUMN_NAME"),
        bool("IS_ASCENDING"),
        optionalText("FILTER_CONDITION"),
        optionalText("REMARKS"));
    add(
        catalog,
        "SEQUENCES",
        this::sequences,
        text("SCHEMA_NAME"),
        text("SEQUENCE_NAME"),
        text("DATA_TYPE"),
        number("START_VALUE"),
        number("INCREMENT"),
        number("LEAST_VALUE"),
        number("GREATEST_VALUE"),
        bool("CYCLES"),
        optionalText("REMARKS"));
  }

  private void addSessions() {
    addLocal(
        catalog,
        engine,
        "SESSIONS",
        this::sessions,
        number("SESSION_ID"),
        text("USER_NAME"),
        text("ISOLATION"),
        bool("AUTO_COMMIT"),
        bool("IN_TRANSACTION"),
        bool("WAITING"),
        optionalText("STATEMENT"));
    addLocal(
        catalog,
        engine,
        "QUERY_MEMORY",
        this::queryMemory,
        text("SCOPE"),
        optionalNumber("SESSION_ID"),
        number("USED_BYTES"),
        number("PEAK_BYTES"),
        number("LIMIT_BYTES"),
        number("REFUSALS"),
        number("SPILLS"),
        number("SPILLED_BYTES"));
  }

  private List<TableInfo> infos() {
    return CatalogSnapshots.of(catalog.state()).tables();
  }

  private List<Object[]> schemas() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    state.schemaNames().forEach(name -> rows.add(new Object[] {name, state.schemaComment(name)}));
    return rows;
  }

  private List<Object[]> tables() {
    List<Object[]> rows = new ArrayList<>();
    for (TableInfo table : infos()) {
      rows.add(
          new Object[] {
            table.schema(),
            table.name(),
            table.type(),
            (long) table.columns().size(),
            (long) table.indexes().size(),
            table.remarks()
          });
    }
    return rows;
  }

  private List<Object[]> columns() {
    List<Object[]> rows = new ArrayList<>();
    for (TableInfo table : infos()) {
      for (ColumnInfo column : table.columns()) {
        rows.add(
            new Object[] {
              table.schema(),
              table.name(),
              column.name(),
              (long) column.ordinal(),
              column.type().sqlName(),
              raw(column.type().nullable()),
              column.defaultText(),
              raw(column.identity()),
              column.generation(),
              column.remarks()
            });
      }
    }
    return rows;
  }

  private List<Object[]> indexes() {
    List<Object[]> rows = new ArrayList<>();
    for (TableInfo table : infos()) {
      for (IndexInfo index : table.indexes()) {
        for (int i = 0; i < index.columns().size(); i++) {
          rows.add(
              new Object[] {
                table.schema(),
                table.name(),
                index.name(),
                raw(index.unique()),
                raw(index.primary()),
                i + 1L,
                index.columns().get(i).name(),
                raw(index.columns().get(i).ascending()),
                index.condition(),
                index.remarks()
              });
        }
      }
    }
    return rows;
  }

  private List<Object[]> sequences() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (String schema : state.schemaNames()) {
      for (Relation relation : state.relations(schema)) {
        if (relation instanceof SequenceEntry sequence) {
          SequenceDefinition definition = sequence.definition();
          rows.add(
              new Object[] {
                schema,
                definition.name(),
                definition.kind().name(),
                definition.start(),
                definition.increment(),
                definition.least(),
                definition.greatest(),
                raw(definition.cycle()),
                definition.comment()
              });
        }
      }
    }
    return rows;
  }

  private List<Object[]> sessions() {
    List<Object[]> rows = new ArrayList<>();
    for (LocalSession session : sessions.sessions()) {
      rows.add(
          new Object[] {
            session.id(),
            session.user(),
            session.isolation().name(),
            raw(session.autoCommit()),
            raw(session.inTransaction()),
            raw(session.isWaiting()),
            session.runningSql()
          });
    }
    return rows;
  }

  private List<Object[]> queryMemory() {
    List<Object[]> rows = new ArrayList<>();
    rows.add(queryMemory("JVM", null, MemoryBudget.ofJvm()));
    for (LocalSession session : sessions.sessions()) {
      rows.add(queryMemory("SESSION", session.id(), session.memory()));
    }
    return rows;
  }

  private static Object[] queryMemory(String scope, Long session, MemoryBudget budget) {
    return new Object[] {
      scope,
      session,
      budget.used(),
      budget.peak(),
      budget.limit(),
      budget.refusals(),
      budget.spills(),
      budget.spilledBytes()
    };
  }
}
