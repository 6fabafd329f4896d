package org.nelumbo.database.ddl;

import org.apache.calcite.sql.SqlIdentifier;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.CommentOn;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.Comments.Part;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.SystemView;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.type.SqlErrors;

/** Runs COMMENT ON. */
final class CommentChanges {
  private final Catalog catalog;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final SequenceChanges sequences;

  CommentChanges(
      Catalog catalog, ExclusiveMetadataLocks exclusiveMetadataLocks, SequenceChanges sequences) {
    this.catalog = catalog;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.sequences = sequences;
  }

  void run(CommentOn comment, String schema, long timeoutNanos) {
    CatalogState state = catalog.draft();
    SqlIdentifier name = comment.name();
    String simple = ObjectNames.simple(name);
    switch (comment.target()) {
      case SCHEMA -> {
        state.checkSchema(simple);
        if (CatalogState.isSystem(simple)) {
          throw refused(comment);
        }
        catalog.commentSchema(simple, comment.text());
      }
      case SEQUENCE -> {
        SequenceEntry sequence = sequences.find(name, schema, false);
        catalog.renameSequence(sequence, sequence.definition().withComment(comment.text()));
      }
      case TABLE ->
          set(ObjectNames.table(state, name, schema), Part.OBJECT, "", comment, timeoutNanos);
      case VIEW -> {
        if (!(relation(state, name, schema) instanceof ViewEntry view)) {
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT, name + " is not a view", name.getParserPosition());
        }
        set(view, Part.OBJECT, "", comment, timeoutNanos);
      }
      case COLUMN -> column(state, comment, schema, timeoutNanos);
      case INDEX -> {
        TableEntry table =
            IndexChanges.onlyOwner(
                state, ObjectNames.schema(name, schema), simple, name.getParserPosition());
        if (table == null) {
          throw SqlErrors.at(
              ErrorCode.NO_SUCH_INDEX, "Index '" + name + "' not found", name.getParserPosition());
        }
        set(table, Part.INDEX, simple, comment, timeoutNanos);
      }
      case CONSTRAINT -> {
        TableEntry table = ObjectNames.table(state, comment.table(), schema);
        if (!hasConstraint(table.definition(), simple)) {
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT,
              "table " + table + " has no constraint " + simple,
              name.getParserPosition());
        }
        set(table, Part.CONSTRAINT, simple, comment, timeoutNanos);
      }
    }
  }

  private static boolean hasConstraint(TableDefinition table, String name) {
    return name.equals(table.primaryKeyName())
        || table.index(name) != null && table.index(name).constraint()
        || table.checks().stream().anyMatch(check -> check.name().equals(name))
        || table.foreignKeys().stream().anyMatch(key -> key.name().equals(name));
  }

  private void column(CatalogState state, CommentOn comment, String schema, long timeoutNanos) {
    SqlIdentifier name = comment.name();
    if (name.isSimple()) {
      throw SqlErrors.at(
          ErrorCode.SYNTAX_ERROR,
          "a column is named with its table; write COMMENT ON COLUMN table." + name,
          name.getParserPosition());
    }
    Relation relation = relation(state, name.skipLast(1), schema);
    String column = ObjectNames.simple(name);
    if (relation.columns().stream().noneMatch(each -> each.name().equals(column))) {
      throw ObjectNames.noColumn(name.getComponent(name.names.size() - 1), relation.name());
    }
    set(relation, Part.COLUMN, column, comment, timeoutNanos);
  }

  private static Relation relation(CatalogState state, SqlIdentifier name, String schema) {
    String where = ObjectNames.existing(state, name, schema);
    Relation relation = state.relation(where, ObjectNames.simple(name));
    if (relation == null) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_TABLE, "Table '" + name + "' not found", name.getParserPosition());
    }
    return relation;
  }

  private void set(
      Relation relation, Part part, String name, CommentOn comment, long timeoutNanos) {
    switch (relation) {
      case TableEntry table -> {
        Comments comments = table.definition().comments().with(part, name, comment.text());
        exclusiveMetadataLocks.runExclusively(
            table,
            timeoutNanos,
            () -> catalog.replaceDefinition(table, table.definition().withComments(comments)));
      }
      case ViewEntry view ->
          catalog.replaceView(
              view, view.withComments(view.comments().with(part, name, comment.text())));
      case SequenceEntry _, SystemView _ -> throw refused(comment);
    }
  }

  private static NelumboException refused(CommentOn comment) {
    return SqlErrors.at(
        ErrorCode.INVALID_STATEMENT,
        comment.name() + " cannot have a comment",
        comment.name().getParserPosition());
  }
}
