package org.nelumbo.database.infoschema;

import static org.nelumbo.database.infoschema.StandardView.CATALOG;
import static org.nelumbo.database.infoschema.StandardView.absent;
import static org.nelumbo.database.infoschema.StandardView.row;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceDefinition;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.types.ColumnType;

/** The views about schemas, tables, columns, views and sequences. */
final class RelationViews {
  /** CURRENT_USER of every session. */
  private static final String OWNER = "NELUMBO";

  private final Catalog catalog;

  RelationViews(Catalog catalog) {
    this.catalog = catalog;
  }

  void register() {
    StandardView.add(
        catalog,
        "INFORMATION_SCHEMA_CATALOG_NAME",
        () -> List.<Object[]>of(row(CATALOG)),
        "CATALOG_NAME");
    StandardView.add(
        catalog,
        "SCHEMATA",
        this::schemata,
        "CATALOG_NAME SCHEMA_NAME SCHEMA_OWNER DEFAULT_CHARACTER_SET_CATALOG",
        "DEFAULT_CHARACTER_SET_SCHEMA DEFAULT_CHARACTER_SET_NAME SQL_PATH REMARKS");
    StandardView.add(
        catalog,
        "TABLES",
        () -> relations(RelationViews::table),
        "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME TABLE_TYPE SELF_REFERENCING_COLUMN_NAME",
        "REFERENCE_GENERATION USER_DEFINED_TYPE_CATALOG USER_DEFINED_TYPE_SCHEMA",
        "USER_DEFINED_TYPE_NAME IS_INSERTABLE_INTO IS_TYPED COMMIT_ACTION REMARKS");
    StandardView.add(
        catalog,
        "COLUMNS",
        () -> relations(RelationViews::columns),
        "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION# COLUMN_DEFAULT",
        "IS_NULLABLE DATA_TYPE CHARACTER_MAXIMUM_LENGTH% CHARACTER_OCTET_LENGTH%",
        "NUMERIC_PRECISION# NUMERIC_PRECISION_RADIX# NUMERIC_SCALE# DATETIME_PRECISION#",
        "INTERVAL_TYPE INTERVAL_PRECISION# CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA",
        "CHARACTER_SET_NAME COLLATION_CATALOG COLLATION_SCHEMA COLLATION_NAME DOMAIN_CATALOG",
        "DOMAIN_SCHEMA DOMAIN_NAME UDT_CATALOG UDT_SCHEMA UDT_NAME SCOPE_CATALOG SCOPE_SCHEMA",
        "SCOPE_NAME MAXIMUM_CARDINALITY# DTD_IDENTIFIER IS_SELF_REFERENCING IS_IDENTITY",
        "IDENTITY_GENERATION IDENTITY_START% IDENTITY_INCREMENT% IDENTITY_MAXIMUM%",
        "IDENTITY_MINIMUM% IDENTITY_CYCLE IS_GENERATED GENERATION_EXPRESSION IS_UPDATABLE REMARKS");
    StandardView.add(
        catalog,
        "VIEWS",
        () -> relations(RelationViews::view),
        "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME VIEW_DEFINITION CHECK_OPTION IS_UPDATABLE",
        "IS_INSERTABLE_INTO IS_TRIGGER_UPDATABLE IS_TRIGGER_DELETABLE IS_TRIGGER_INSERTABLE_INTO",
        "REMARKS");
    StandardView.add(
        catalog,
        "VIEW_TABLE_USAGE",
        this::viewTables,
        "VIEW_CATALOG VIEW_SCHEMA VIEW_NAME TABLE_CATALOG TABLE_SCHEMA TABLE_NAME");
    StandardView.add(
        catalog,
        "SEQUENCES",
        () -> relations(RelationViews::sequence),
        "SEQUENCE_CATALOG SEQUENCE_SCHEMA SEQUENCE_NAME DATA_TYPE NUMERIC_PRECISION#",
        "NUMERIC_PRECISION_RADIX# NUMERIC_SCALE# START_VALUE% MINIMUM_VALUE% MAXIMUM_VALUE%",
        "INCREMENT% CYCLE_OPTION REMARKS");
  }

  private List<Object[]> relations(BiConsumer<Relation, List<Object[]>> adder) {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (String schema : state.schemaNames()) {
      state.relations(schema).forEach(relation -> adder.accept(relation, rows));
    }
    return rows;
  }

  private List<Object[]> schemata() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    for (String name : state.schemaNames()) {
      rows.add(row(CATALOG, name, OWNER, absent(4), state.schemaComment(name)));
    }
    return rows;
  }

  private static Comments comments(Relation relation) {
    return switch (relation) {
      case TableEntry table -> table.definition().comments();
      case ViewEntry view -> view.comments();
      default -> Comments.NONE;
    };
  }

  private static void table(Relation relation, List<Object[]> rows) {
    if (relation instanceof SequenceEntry) {
      return;
    }
    boolean base = relation instanceof TableEntry;
    rows.add(
        row(
            CATALOG,
            relation.schemaName(),
            relation.name(),
            base ? "BASE TABLE" : "VIEW",
            absent(5), // from SELF_REFERENCING_COLUMN_NAME to USER_DEFINED_TYPE_NAME
            base,
            false,
            null,
            comments(relation).ofObject()));
  }

  private static void columns(Relation relation, List<Object[]> rows) {
    for (int i = 0; i < relation.columns().size(); i++) {
      rows.add(column(relation, i));
    }
  }

  private static Object[] column(Relation relation, int ordinal) {
    Column column = relation.columns().get(ordinal);
    StandardType type = StandardType.of(column.type());
    TableEntry table = relation instanceof TableEntry entry ? entry : null;
    String generation = table == null ? null : table.definition().generation(ordinal);
    IdentityDefinition identity = table == null ? null : table.definition().identity(ordinal);
    boolean rises = identity != null && identity.increment() > 0;
    long greatest = StandardType.greatest(column.type().kind());
    return row(
        CATALOG,
        relation.schemaName(),
        relation.name(),
        column.name(),
        ordinal + 1,
        column.defaultText(),
        column.type().nullable(),
        type.name(),
        type.characters(),
        type.octets(),
        type.precision(),
        type.radix(),
        type.scale(),
        type.seconds(),
        type.fields(),
        absent(17), // from INTERVAL_PRECISION to MAXIMUM_CARDINALITY
        String.valueOf(ordinal + 1),
        false,
        identity != null,
        identity == null ? null : identity.always() ? "ALWAYS" : "BY DEFAULT",
        identity == null ? null : identity.start(),
        identity == null ? null : identity.increment(),
        identity == null ? null : rises ? greatest : identity.start(),
        identity == null ? null : rises ? identity.start() : ~greatest,
        identity == null ? null : (Object) false,
        generation == null ? "NEVER" : "ALWAYS",
        generation,
        table != null && generation == null,
        comments(relation).of(Comments.Part.COLUMN, column.name()));
  }

  private static void view(Relation relation, List<Object[]> rows) {
    if (relation instanceof TableEntry || relation instanceof SequenceEntry) {
      return;
    }
    rows.add(
        row(
            CATALOG,
            relation.schemaName(),
            relation.name(),
            relation instanceof ViewEntry view ? view.text() : null,
            "NONE",
            false,
            false,
            false,
            false,
            false,
            comments(relation).ofObject()));
  }

  private List<Object[]> viewTables() {
    List<Object[]> rows = new ArrayList<>();
    CatalogState state = catalog.state();
    Map<Integer, Relation> byId = new HashMap<>();
    state.views().forEach(view -> byId.put(view.id(), view));
    state.tables().forEach(table -> byId.put(table.id(), table));
    for (ViewEntry view : state.views()) {
      for (int id : view.uses()) {
        Relation used = byId.get(id);
        if (used != null) {
          rows.add(
              row(
                  CATALOG,
                  view.schemaName(),
                  view.name(),
                  CATALOG,
                  used.schemaName(),
                  used.name()));
        }
      }
    }
    return rows;
  }

  private static void sequence(Relation relation, List<Object[]> rows) {
    if (!(relation instanceof SequenceEntry entry)) {
      return;
    }
    SequenceDefinition sequence = entry.definition();
    StandardType type = StandardType.of(ColumnType.of(sequence.kind()));
    rows.add(
        row(
            CATALOG,
            sequence.schema(),
            sequence.name(),
            type.name(),
            type.precision(),
            type.radix(),
            type.scale(),
            sequence.start(),
            sequence.least(),
            sequence.greatest(),
            sequence.increment(),
            sequence.cycle(),
            sequence.comment()));
  }
}
