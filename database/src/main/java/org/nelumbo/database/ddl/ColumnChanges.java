package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.AddColumn;
import org.nelumbo.parser.ast.AlterColumn;
import org.nelumbo.parser.ast.ColumnDefinition;
import org.nelumbo.parser.ast.DropElement;
import org.nelumbo.parser.ast.Identity;
import org.nelumbo.parser.ast.RenameColumn;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.frontend.StoredText;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.ColumnType;

/**
 * Adds, drops, renames and alters columns (ALTER TABLE). Changes of names and defaults affect only
 * the definition; all other changes copy the rows into a store of the new form, see {@link
 * TableRebuild}.
 */
final class ColumnChanges {
  private final Catalog catalog;
  private final SqlFrontEnd frontEnd;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final TableRebuild rebuild;

  ColumnChanges(
      Catalog catalog,
      SqlFrontEnd frontEnd,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      TableRebuild rebuild) {
    this.catalog = catalog;
    this.frontEnd = frontEnd;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.rebuild = rebuild;
  }

  private static int ordinal(TableEntry table, SqlIdentifier name) {
    int ordinal = find(table, name);
    if (ordinal < 0) {
      throw ObjectNames.noColumn(name, table.name());
    }
    return ordinal;
  }

  private static int find(TableEntry table, SqlIdentifier name) {
    int ordinal = table.schema().ordinal(ObjectNames.simple(name));
    return ordinal < table.columns().size() ? ordinal : -1;
  }

  private static void checkFree(TableEntry table, SqlIdentifier name) {
    if (find(table, name) >= 0) {
      throw SqlErrors.at(
          ErrorCode.COLUMN_EXISTS,
          "Column '"
              + ObjectNames.simple(name)
              + "' exists already in table '"
              + table.name()
              + "'",
          name.getParserPosition());
    }
  }

  private static NelumboException inUse(SqlIdentifier column, String user) {
    return SqlErrors.at(
        ErrorCode.OBJECT_IN_USE,
        "column " + ObjectNames.simple(column) + " is used by " + user + "; drop that first",
        column.getParserPosition());
  }

  void add(TableEntry table, AddColumn add, long timeoutNanos) {
    ColumnDefinition column = add.column();
    if (add.ifNotExists() && find(table, column.name()) >= 0) {
      return;
    }
    checkFree(table, column.name());
    assert column.constraints().isEmpty() : "constraints need a separate ALTER TABLE";
    ColumnMapping mapping = ColumnMapping.withColumn(table.definition(), newColumn(table, column));
    if (column.generation() != null) {
      mapping =
          mapping.generating(
              table.definition().visibleColumns(), StoredText.of(column.generation()));
      GeneratedColumns.check(mapping.definition(), frontEnd, catalog.draft(), column);
    }
    if (column.identity() != null) {
      addNumbered(table, column, mapping, timeoutNanos);
    } else {
      rebuild.copy(table, mapping, timeoutNanos);
    }
  }

  /** Numbers the existing rows, too. */
  private void addNumbered(
      TableEntry table, ColumnDefinition column, ColumnMapping mapping, long timeoutNanos) {
    int at = table.definition().visibleColumns();
    TableBuilder.checkIdentity(column, mapping.definition().columns().get(at).type());
    ColumnMapping numbering =
        mapping.numbering(TableBuilder.newIdentity(catalog.newId(), at, column));
    TableEntry numbered = catalog.numbering(table, numbering.definition());
    Runnable discard = () -> catalog.discardNumbers(numbering.definition().sequenceId(at));
    catalog.whenDiscarded(discard);
    boolean added = false;
    try {
      rebuild.copy(numbered, numbering, timeoutNanos);
      added = true;
    } finally {
      if (!added) {
        discard.run();
      }
    }
  }

  private Column newColumn(TableEntry table, ColumnDefinition definition) {
    boolean numbered = definition.identity() != null;
    boolean nullable = !definition.isNotNull() && !numbered;
    ColumnType type = type(table, definition.type()).withNullable(nullable);
    String text = defaultText(table, definition.defaultValue(), type);
    return new Column(ObjectNames.simple(definition.name()), type, text, numbered, false);
  }

  private ColumnType type(TableEntry table, SqlDataTypeSpec type) {
    return frontEnd.columnType(type, catalog.draft(), table.schemaName());
  }

  private String defaultText(TableEntry table, SqlNode value, ColumnType type) {
    if (value == null) {
      return null;
    }
    SqlNode kept = NextValueFunction.qualified(value, catalog.draft(), table.schemaName());
    String text = StoredText.of(kept);
    frontEnd.checkDefault(kept, type, catalog.draft(), table.schemaName());
    return text;
  }

  void drop(TableEntry table, DropElement drop, long timeoutNanos) {
    if (drop.ifExists() && find(table, drop.name()) < 0) {
      return;
    }
    int at = ordinal(table, drop.name());
    if (table.columns().size() == 1) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "the only column of a table cannot be dropped; drop the table",
          drop.name().getParserPosition());
    }
    String user = ColumnUses.ofOthers(catalog.draft(), table, at);
    if (user != null) {
      throw inUse(drop.name(), user);
    }
    TableDefinition rest = ColumnUses.without(table.definition(), at);
    rebuild.copy(table, ColumnMapping.withoutColumn(rest, at), timeoutNanos);
    IdentityDefinition identity = table.definition().identity(at);
    if (identity != null && identity.id() != table.id()) {
      catalog.whenPublished(() -> catalog.discardNumbers(identity.id()));
    }
  }

  void rename(TableEntry table, RenameColumn rename, long timeoutNanos) {
    int at = ordinal(table, rename.column());
    checkFree(table, rename.newName());
    Column old = table.columns().get(at);
    String name = ObjectNames.simple(rename.newName());
    Column column = new Column(name, old.type(), old.defaultText(), old.identity(), false);
    TableDefinition definition = table.definition();
    TableDefinition renamed =
        ColumnMapping.withChanged(definition, at, column)
            .definition()
            .withChecks(ColumnUses.renamed(definition.checks(), old.name(), name))
            .withIndexes(ColumnUses.renamedInIndexes(definition.indexes(), old.name(), name))
            .withGenerated(ColumnUses.renamedIn(definition.generated(), old.name(), name))
            .withComments(definition.comments().renamed(Comments.Part.COLUMN, old.name(), name));
    note(table, ColumnUses.renamedHidden(renamed), timeoutNanos);
  }

  private void note(TableEntry table, TableDefinition definition, long timeoutNanos) {
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          catalog.replaceTable(table, definition, table.store());
          catalog.whenPublished(() -> table.store().rename(definition.toSchema()));
        });
  }

  void alter(TableEntry table, AlterColumn alter, long timeoutNanos) {
    int at = ordinal(table, alter.column());
    switch (alter.action()) {
      case DROP_EXPRESSION -> dropExpression(table, alter, at, timeoutNanos);
      case RESTART -> restart(table, alter, at);
      case SET_ALWAYS, SET_BY_DEFAULT, DROP_IDENTITY ->
          alterIdentity(table, alter, at, timeoutNanos);
      case ADD_IDENTITY -> addIdentity(table, alter, at, timeoutNanos);
      default -> alter(table, alter, at, timeoutNanos);
    }
  }

  private void alter(TableEntry table, AlterColumn alter, int at, long timeoutNanos) {
    Column old = table.columns().get(at);
    Column changed =
        switch (alter.action()) {
          case SET_DEFAULT -> withDefault(table, old, alter);
          case DROP_DEFAULT -> new Column(old.name(), old.type(), null, old.identity(), false);
          case SET_NOT_NULL -> withType(old, old.type().withNullable(false));
          case DROP_NOT_NULL -> nullable(table, old, at, alter);
          case SET_TYPE -> retyped(table, old, at, alter);
          default -> old;
        };
    ColumnMapping columnMapping = ColumnMapping.withChanged(table.definition(), at, changed);
    if (alter.action() == AlterColumn.Action.SET_TYPE && alter.value() != null) {
      rebuild.copy(table, columnMapping.computing(at, alter.value()), timeoutNanos);
      return;
    }
    if (changed.equals(old)) {
      return;
    } else if (changed.type().equals(old.type())) {
      note(table, columnMapping.definition(), timeoutNanos);
    } else {
      rebuild.copy(table, columnMapping, timeoutNanos);
    }
  }

  void dropDefault(TableEntry table, int at, long timeoutNanos) {
    Column old = table.columns().get(at);
    Column changed = new Column(old.name(), old.type(), null, old.identity(), false);
    ColumnMapping columnMapping = ColumnMapping.withChanged(table.definition(), at, changed);
    note(table, columnMapping.definition(), timeoutNanos);
  }

  private void dropExpression(TableEntry table, AlterColumn alter, int at, long timeoutNanos) {
    if (table.definition().generation(at) == null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + table.columns().get(at).name() + " is not generated",
          alter.getParserPosition());
    }
    List<GeneratedDefinition> kept = new ArrayList<>(table.definition().generated());
    kept.removeIf(each -> each.column() == at);
    note(table, table.definition().withGenerated(kept), timeoutNanos);
  }

  private static IdentityDefinition identity(TableEntry table, AlterColumn alter, int at) {
    IdentityDefinition identity = table.definition().identity(at);
    if (identity == null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + table.columns().get(at).name() + " is not an identity column",
          alter.getParserPosition());
    }
    return identity;
  }

  private void alterIdentity(TableEntry table, AlterColumn alter, int at, long timeoutNanos) {
    IdentityDefinition old = identity(table, alter, at);
    boolean drops = alter.action() == AlterColumn.Action.DROP_IDENTITY;
    List<IdentityDefinition> identities = new ArrayList<>(table.definition().identities());
    identities.remove(old);
    TableDefinition definition = table.definition();
    if (drops) {
      Column column = table.columns().get(at);
      Column plain = new Column(column.name(), column.type(), null, false, false);
      definition = ColumnMapping.withChanged(definition, at, plain).definition();
    } else {
      boolean always = alter.action() == AlterColumn.Action.SET_ALWAYS;
      identities.add(new IdentityDefinition(old.id(), at, always, old.start(), old.increment()));
    }
    note(table, definition.toBuilder().identities(identities).build(), timeoutNanos);
    if (drops && old.id() != table.id()) {
      catalog.whenPublished(() -> catalog.discardNumbers(old.id()));
    }
  }

  /** Existing rows keep their values. */
  private void addIdentity(TableEntry table, AlterColumn alter, int at, long timeoutNanos) {
    Column old = table.columns().get(at);
    boolean good =
        TableBuilder.canBeIdentity(old.type())
            && old.defaultText() == null
            && !old.identity()
            && table.definition().generation(at) == null;
    if (!good || old.type().nullable()) {
      throw SqlErrors.at(
          good ? ErrorCode.NOT_YET_DRAWN : ErrorCode.INVALID_STATEMENT,
          "column "
              + old.name()
              + (good
                  ? " may be NULL; write SET NOT NULL first"
                  : " cannot number the rows: that takes a whole number without DEFAULT"),
          alter.getParserPosition());
    }
    Identity wanted = (Identity) alter.value();
    IdentityDefinition identity =
        new IdentityDefinition(
            catalog.newId(), at, wanted.always(), wanted.start(), wanted.increment());
    Column numbered = new Column(old.name(), old.type(), null, true, false);
    TableDefinition definition =
        ColumnMapping.withChanged(table.definition(), at, numbered)
            .numbering(identity)
            .definition();
    note(catalog.numbering(table, definition), definition, timeoutNanos);
  }

  /** The change takes effect immediately, because all transactions share the numbers. */
  private void restart(TableEntry table, AlterColumn alter, int at) {
    IdentityDefinition identity = identity(table, alter, at);
    if (table.definition().hiddenColumn() >= 0 && identity.id() == table.id()) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "the rows of this table, which an older version of Nelumbo created, share their"
              + " numbers with the identity column; add a primary key first",
          alter.getParserPosition());
    }
    long number =
        alter.value() == null ? identity.start() : ((SqlLiteral) alter.value()).longValue(true);
    catalog.whenPublished(() -> catalog.restart(table, at, number));
  }

  private static Column withType(Column old, ColumnType type) {
    return new Column(old.name(), type, old.defaultText(), old.identity(), false);
  }

  private Column withDefault(TableEntry table, Column old, AlterColumn alter) {
    if (old.identity()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + old.name() + " is an identity column and has no default",
          alter.getParserPosition());
    }
    if (table.definition().generation(table.schema().ordinal(old.name())) != null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + old.name() + " is generated and has no default",
          alter.getParserPosition());
    }
    String text = defaultText(table, alter.value(), old.type());
    return new Column(old.name(), old.type(), text, false, false);
  }

  private static Column nullable(TableEntry table, Column old, int at, AlterColumn alter) {
    if (table.schema().primaryKeyPosition(at) >= 0 || old.identity()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + old.name() + " is a key or identity column and cannot be NULL",
          alter.getParserPosition());
    }
    return withType(old, old.type().orNull());
  }

  private Column retyped(TableEntry table, Column old, int at, AlterColumn alter) {
    ColumnType type = type(table, alter.newType()).withNullable(old.type().nullable());
    String user = ColumnUses.foreignKey(catalog.draft(), table, at);
    if (user == null) {
      user = ColumnUses.generated(table.definition(), at);
    }
    if (user != null && !type.equals(old.type())) {
      throw inUse(alter.column(), user);
    }
    if (alter.value() == null && !SqlFrontEnd.isAssignable(type, old.type())) {
      throw SqlErrors.at(
          ErrorCode.TYPE_MISMATCH,
          "values of column "
              + old.name()
              + " are of type "
              + old.type().sqlName()
              + " and cannot be stored as "
              + type.sqlName()
              + "; write USING with an expression that converts them",
          alter.newType().getParserPosition());
    }
    if (old.identity() && !TableBuilder.canBeIdentity(type)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "column " + old.name() + " is an identity column and has to be a whole number",
          alter.newType().getParserPosition());
    }
    if (old.defaultText() != null) {
      defaultText(table, SqlParsing.parseExpression(old.defaultText()), type);
    }
    Column changed = withType(old, type);
    TableDefinition definition =
        ColumnMapping.withChanged(table.definition(), at, changed).definition();
    GeneratedColumns.check(definition, frontEnd, catalog.draft(), alter);
    definition
        .checks()
        .forEach(
            check ->
                frontEnd.checkCondition(
                    check.text(), definition, catalog.draft(), definition.schema()));
    return changed;
  }
}
