package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.ChangeSequence;
import org.nelumbo.parser.ast.DropBehavior;
import org.nelumbo.parser.ast.DropObject;
import org.nelumbo.parser.ast.RenameObject;
import org.nelumbo.parser.ast.SequenceOptions;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceDefinition;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates, alters and drops sequences. */
final class SequenceChanges {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final ViewChanges views;

  SequenceChanges(Catalog catalog, SqlFrontEnd frontEnd, ViewChanges views) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.views = views;
  }

  void create(ChangeSequence create, String defaultSchema) {
    CatalogState state = catalog.draft();
    String schema = ObjectNames.writableSchema(state, create.name(), defaultSchema);
    String name = ObjectNames.simple(create.name());
    if (state.relation(schema, name) != null) {
      if (create.tolerant()) {
        return;
      }
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "'" + create.name() + "' exists already; drop it, or write IF NOT EXISTS",
          create.name().getParserPosition());
    }
    SequenceOptions options = create.options();
    Kind kind = kind(create, state, schema);
    long increment = options.increment() == null ? 1 : options.increment();
    boolean rises = increment > 0;
    long least = options.least() != null ? options.least() : rises ? 1 : smallest(kind);
    long greatest = options.greatest() != null ? options.greatest() : rises ? largest(kind) : -1;
    long start = options.start() != null ? options.start() : rises ? least : greatest;
    boolean cycle = Boolean.TRUE.equals(options.cycle());
    SequenceDefinition definition =
        new SequenceDefinition(
            catalog.newId(), schema, name, kind, start, increment, least, greatest, cycle, null);
    check(definition, start, create);
    catalog.createSequence(owned(definition, options.owner(), defaultSchema));
  }

  private Kind kind(ChangeSequence create, CatalogState state, String schema) {
    if (create.type() == null) {
      return Kind.BIGINT;
    }
    ColumnType type = frontEnd.columnType(create.type(), state, schema);
    if (!type.kind().isInteger()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "a sequence has SMALLINT, INTEGER or BIGINT numbers",
          create.type().getParserPosition());
    }
    return type.kind();
  }

  private static long largest(Kind kind) {
    return switch (kind) {
      case TINYINT -> Byte.MAX_VALUE;
      case SMALLINT -> Short.MAX_VALUE;
      case INTEGER -> Integer.MAX_VALUE;
      default -> Long.MAX_VALUE;
    };
  }

  private static long smallest(Kind kind) {
    return -largest(kind) - 1;
  }

  private static void check(SequenceDefinition sequence, long next, ChangeSequence statement) {
    boolean good =
        sequence.least() < sequence.greatest()
            && sequence.least() >= smallest(sequence.kind())
            && sequence.greatest() <= largest(sequence.kind())
            && next >= sequence.least()
            && next <= sequence.greatest();
    if (!good) {
      throw SqlErrors.at(
          ErrorCode.BAD_PARAMETER,
          "sequence "
              + sequence.name()
              + " cannot go from "
              + next
              + " within MINVALUE "
              + sequence.least()
              + " and MAXVALUE "
              + sequence.greatest()
              + " of type "
              + sequence.kind(),
          statement.getParserPosition());
    }
  }

  void alter(ChangeSequence alter, String defaultSchema) {
    SequenceEntry sequence = find(alter.name(), defaultSchema, alter.tolerant());
    if (sequence == null) {
      return;
    }
    SequenceDefinition old = sequence.definition();
    SequenceOptions options = alter.options();
    SequenceDefinition changed =
        new SequenceDefinition(
            old.id(),
            old.schema(),
            old.name(),
            old.kind(),
            options.start() == null ? old.start() : options.start(),
            options.increment() == null ? old.increment() : options.increment(),
            options.least() == null ? old.least() : options.least(),
            options.greatest() == null ? old.greatest() : options.greatest(),
            options.cycle() == null ? old.cycle() : options.cycle(),
            old.comment(),
            old.ownerTable(),
            old.ownerColumn());
    check(changed, changed.start(), alter);
    Long restart = null;
    if (options.restarts()) {
      restart = options.restart() == null ? (Long) changed.start() : options.restart();
      check(changed, restart, alter);
    }
    catalog.replaceSequence(sequence, owned(changed, options.owner(), defaultSchema), restart);
  }

  private SequenceDefinition owned(
      SequenceDefinition sequence, SqlIdentifier column, String defaultSchema) {
    if (column == null) {
      return sequence;
    }
    if (column.isSimple()) {
      if (column.getSimple().equalsIgnoreCase("NONE")) {
        return sequence.ownedBy(0, null);
      }
      throw SqlErrors.at(
          ErrorCode.SYNTAX_ERROR,
          "OWNED BY names table.column, or NONE",
          column.getParserPosition());
    }
    int parts = column.names.size();
    TableEntry table =
        ObjectNames.table(catalog.draft(), column.getComponent(0, parts - 1), defaultSchema);
    String name = column.names.getLast();
    int at = table.schema().ordinal(name);
    if (at < 0 || at >= table.columns().size()) {
      throw ObjectNames.noColumn(column, table.name());
    }
    return sequence.ownedBy(table.id(), name);
  }

  private List<SequenceEntry> owned(TableEntry table) {
    List<SequenceEntry> owned = new ArrayList<>();
    for (String schema : catalog.draft().schemaNames()) {
      for (Relation relation : catalog.draft().relations(schema)) {
        if (relation instanceof SequenceEntry sequence
            && sequence.definition().ownerTable() == table.id()) {
          owned.add(sequence);
        }
      }
    }
    return owned;
  }

  /** Rejects dropping a table that owns a sequence used by other objects. */
  void releaseOwned(TableEntry table) {
    for (SequenceEntry sequence : owned(table)) {
      checkUnused(sequence, List.of(table));
      views.checkUnused(sequence.definition().id(), "sequence " + sequence);
    }
  }

  /**
   * Drops the sequences owned by a dropped column.
   *
   * @param columnOrNull name of the column; null for all columns
   */
  void dropOwned(TableEntry table, String columnOrNull) {
    for (SequenceEntry sequence : owned(table)) {
      if (columnOrNull == null || columnOrNull.equals(sequence.definition().ownerColumn())) {
        catalog.dropSequence(sequence);
      }
    }
  }

  /** Updates the sequences owned by a renamed column. */
  void renameOwner(TableEntry table, String from, String to) {
    for (SequenceEntry sequence : owned(table)) {
      SequenceDefinition definition = sequence.definition();
      if (from.equals(definition.ownerColumn())) {
        catalog.replaceSequence(sequence, definition.ownedBy(table.id(), to), null);
      }
    }
  }

  void rename(RenameObject rename, String defaultSchema) {
    SequenceEntry sequence = find(rename.name(), defaultSchema, rename.ifExists());
    if (sequence == null) {
      return;
    }
    checkUnused(sequence, List.of());
    views.checkUnused(sequence.definition().id(), "sequence " + sequence);
    ObjectNames.checkFree(catalog.draft(), sequence.schemaName(), rename.newName());
    String name = ObjectNames.simple(rename.newName());
    catalog.renameSequence(sequence, sequence.definition().withName(name));
  }

  /** Returns a sequence, or null if it does not exist and {@code tolerant} is set. */
  SequenceEntry find(SqlIdentifier name, String defaultSchema, boolean tolerant) {
    Relation relation =
        catalog.draft().relation(ObjectNames.schema(name, defaultSchema), ObjectNames.simple(name));
    if (relation instanceof SequenceEntry sequence) {
      return sequence;
    } else if (relation == null && tolerant) {
      return null;
    }
    throw SqlErrors.at(
        relation == null ? ErrorCode.NO_SUCH_TABLE : ErrorCode.INVALID_STATEMENT,
        relation == null ? "Sequence '" + name + "' not found" : name + " is not a sequence",
        name.getParserPosition());
  }

  /** A column whose default draws from a sequence. */
  record Use(TableEntry table, int column) {}

  /**
   * Returns a default that draws from a sequence, or null if there is none.
   *
   * @param dropped tables whose defaults are ignored
   */
  Use use(SequenceEntry sequence, List<TableEntry> dropped) {
    CatalogState state = catalog.draft();
    for (TableEntry table : state.tables()) {
      for (int i = 0; !dropped.contains(table) && i < table.columns().size(); i++) {
        if (draws(table.columns().get(i), sequence, state)) {
          return new Use(table, i);
        }
      }
    }
    return null;
  }

  void drop(DropObject drop, String defaultSchema) {
    List<SequenceEntry> sequences = new ArrayList<>();
    for (SqlNode name : drop.names()) {
      SequenceEntry sequence = find((SqlIdentifier) name, defaultSchema, drop.ifExists());
      if (sequence != null) {
        checkUnused(sequence, List.of());
        sequences.add(sequence);
      }
    }
    sequences.forEach(sequence -> drop(sequence, drop.behavior()));
  }

  /**
   * Drops a sequence that no default uses, together with the views that use it, or rejects the
   * drop.
   */
  void drop(SequenceEntry sequence, DropBehavior behavior) {
    views.release(sequence.definition().id(), "sequence " + sequence, behavior);
    catalog.dropSequence(sequence);
  }

  /**
   * Rejects dropping a sequence that defaults use.
   *
   * @param dropped tables whose defaults are ignored
   */
  void checkUnused(SequenceEntry sequence, List<TableEntry> dropped) {
    Use use = use(sequence, dropped);
    if (use != null) {
      throw new NelumboException(
          ErrorCode.DEPENDENT_OBJECTS,
          "sequence "
              + sequence
              + " is used by the default of "
              + use.table
              + "."
              + use.table.columns().get(use.column).name()
              + "; write ALTER TABLE ... ALTER COLUMN ... DROP DEFAULT first");
    }
  }

  private static boolean draws(Column column, SequenceEntry sequence, CatalogState state) {
    return column.defaultText() != null
        && NextValueFunction.sequences(
                SqlParsing.parseExpression(column.defaultText()), state, CatalogState.PUBLIC)
            .contains(sequence);
  }
}
