package org.nelumbo.database.ddl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.CreateView;
import org.nelumbo.parser.ast.DropBehavior;
import org.nelumbo.parser.ast.DropObject;
import org.nelumbo.parser.ast.RenameObject;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Comments;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.catalog.TemporarySchema;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.function.NextValueFunction;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.physical.StatementPlanner;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.session.Isolation;

/** Creates and drops views, and finds the views that use a table or a view. */
final class ViewChanges {
  private final Catalog catalog;
  private final StatementPlanner planner;

  ViewChanges(Catalog catalog, StatementPlanner planner) {
    this.catalog = catalog;
    this.planner = planner;
  }

  void create(CreateView create, String defaultSchema) {
    CatalogState state = catalog.draft();
    String schema = ObjectNames.writableSchema(state, create.name(), defaultSchema);
    String name = ObjectNames.simple(create.name());
    Relation present = state.relation(schema, name);
    if (present != null && create.ifNotExists()) {
      return;
    }
    boolean replaces = present instanceof ViewEntry && create.replace();
    if (present != null && !replaces) {
      throw SqlErrors.at(
          ErrorCode.OBJECT_EXISTS,
          "'"
              + create.name()
              + "' exists already; drop it, or write CREATE OR REPLACE VIEW if it is a view",
          create.name().getParserPosition());
    }
    String text =
        planner
            .frontEnd()
            .viewText(
                NextValueFunction.qualified(create.query(), state, defaultSchema),
                state,
                defaultSchema);
    PhysicalPlan plan =
        DeepStack.call(
            () ->
                planner.plan(
                    SqlParsing.parseStatement(text), state, defaultSchema, Isolation.SERIALIZABLE));
    for (TableEntry table : plan.tables()) {
      if (TemporarySchema.isTemporary(table.schemaName())) {
        throw SqlErrors.at(
            ErrorCode.UNSUPPORTED,
            "a view cannot use temporary table " + table.name() + "; write a query instead",
            create.query().getParserPosition());
      }
    }
    List<Column> columns =
        QueryColumns.of(plan.columns(), create.columns(), "view", create.query());
    ViewEntry old = (ViewEntry) present;
    if (replaces) {
      checkReplacement(old, columns, create);
    }
    Set<Integer> uses = DeepStack.call(() -> uses(text, defaultSchema));
    if (replaces && usesItself(old, uses)) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "view " + name + " would use itself",
          create.name().getParserPosition());
    }
    int id = replaces ? old.id() : catalog.newId();
    catalog.createView(
        new ViewEntry(
            id,
            schema,
            name,
            columns,
            text,
            defaultSchema,
            List.copyOf(uses),
            replaces ? old.comments() : Comments.NONE));
  }

  private void checkReplacement(ViewEntry old, List<Column> columns, CreateView create) {
    List<ViewEntry> users = users(old.id());
    boolean keeps =
        columns.size() >= old.columns().size()
            && columns.subList(0, old.columns().size()).equals(old.columns());
    if (!users.isEmpty() && !keeps) {
      throw SqlErrors.at(
          ErrorCode.DEPENDENT_OBJECTS,
          "view "
              + users.getFirst()
              + " uses "
              + old
              + ", which has to keep its columns; drop that first",
          create.name().getParserPosition());
    }
  }

  private boolean usesItself(ViewEntry view, Set<Integer> uses) {
    return uses.contains(view.id())
        || dependents(view.id()).stream().anyMatch(dependent -> uses.contains(dependent.id()));
  }

  private Set<Integer> uses(String text, String schema) {
    CatalogState state = catalog.draft();
    Set<Integer> uses = new HashSet<>();
    for (List<String> name : names(text)) {
      String where = name.size() > 1 ? name.get(name.size() - 2) : schema;
      Relation relation = state.relation(where, name.getLast());
      if (relation instanceof ViewEntry view) {
        uses.add(view.id());
      } else if (relation instanceof TableEntry table) {
        uses.add(table.id());
      }
    }
    NextValueFunction.sequences(SqlParsing.parseStatement(text), state, schema)
        .forEach(sequence -> uses.add(sequence.definition().id()));
    return uses;
  }

  private static List<List<String>> names(String text) {
    List<List<String>> names = new ArrayList<>();
    SqlNode query = SqlParsing.parseStatement(text);
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            boolean counts = call.getKind() == SqlKind.COUNT;
            if (counts
                && call.operandCount() == 1
                && call.operand(0) instanceof SqlIdentifier name
                && name.isStar()) {
              return null;
            }
            return super.visit(call);
          }

          @Override
          public Void visit(SqlIdentifier name) {
            names.add(name.names);
            return null;
          }
        });
    return names;
  }

  private List<ViewEntry> users(int id) {
    return catalog.draft().views().stream().filter(view -> view.uses().contains(id)).toList();
  }

  private Set<ViewEntry> dependents(int id) {
    Set<ViewEntry> dependents = new LinkedHashSet<>();
    Deque<Integer> used = new ArrayDeque<>(List.of(id));
    while (!used.isEmpty()) {
      for (ViewEntry user : users(used.remove())) {
        if (dependents.add(user)) {
          used.add(user.id());
        }
      }
    }
    return dependents;
  }

  /** Drops the views that use a table, view or sequence, or rejects the change. */
  void release(int id, String used, DropBehavior behavior) {
    Set<ViewEntry> dependents = dependents(id);
    if (!dependents.isEmpty() && behavior != DropBehavior.CASCADE) {
      throw new NelumboException(
          ErrorCode.DEPENDENT_OBJECTS,
          "view "
              + dependents.iterator().next()
              + " uses "
              + used
              + "; drop that first, or write CASCADE");
    }
    dependents.forEach(catalog::dropView);
  }

  /** Rejects the change of a table that views use. */
  void checkUnused(TableEntry table) {
    checkUnused(table.id(), table.toString());
  }

  /** Rejects the change of a column that views use, or may use. */
  void checkUnused(TableEntry table, String column) {
    List<ViewEntry> users = users(table, column);
    if (!users.isEmpty()) {
      throw inUse(users.getFirst(), "column " + column + " of " + table);
    }
  }

  /** Drops the views that use a column when the change is published, or rejects the change. */
  void release(TableEntry table, String column, DropBehavior behavior) {
    if (behavior != DropBehavior.CASCADE) {
      checkUnused(table, column);
      return;
    }
    Set<ViewEntry> dropped = new LinkedHashSet<>();
    for (ViewEntry user : users(table, column)) {
      dropped.addAll(dependents(user.id()));
      dropped.add(user);
    }
    catalog.whenPublished(() -> dropped.forEach(catalog::dropView));
  }

  private List<ViewEntry> users(TableEntry table, String column) {
    return users(table.id()).stream()
        .filter(
            user ->
                names(user.text()).stream()
                    .anyMatch(name -> name.getLast().equals(column) || name.getLast().isEmpty()))
        .toList();
  }

  private static NelumboException inUse(ViewEntry view, String what) {
    return new NelumboException(
        ErrorCode.DEPENDENT_OBJECTS, "view " + view + " uses " + what + "; drop that first");
  }

  void rename(RenameObject rename, String defaultSchema) {
    CatalogState state = catalog.draft();
    String schema = ObjectNames.schema(rename.name(), defaultSchema);
    Relation relation = state.relation(schema, ObjectNames.simple(rename.name()));
    if (relation == null && rename.ifExists()) {
      return;
    } else if (!(relation instanceof ViewEntry)) {
      throw SqlErrors.at(
          relation == null ? ErrorCode.NO_SUCH_TABLE : ErrorCode.INVALID_STATEMENT,
          relation == null
              ? "View '" + rename.name() + "' not found"
              : rename.name() + " is not a view",
          rename.name().getParserPosition());
    }
    ViewEntry view = (ViewEntry) relation;
    ObjectNames.checkFree(state, schema, rename.newName());
    checkUnused(view.id(), "view " + view);
    catalog.replaceView(view, view.withName(ObjectNames.simple(rename.newName())));
  }

  /** Rejects the change of an object that views use. */
  void checkUnused(int id, String what) {
    List<ViewEntry> users = users(id);
    if (!users.isEmpty()) {
      throw inUse(users.getFirst(), what);
    }
  }

  void drop(DropObject drop, String defaultSchema) {
    List<ViewEntry> views = new ArrayList<>();
    for (SqlNode each : drop.names()) {
      SqlIdentifier name = (SqlIdentifier) each;
      Relation relation =
          catalog
              .state()
              .relation(ObjectNames.schema(name, defaultSchema), ObjectNames.simple(name));
      if (relation instanceof ViewEntry view) {
        views.add(view);
      } else if (relation != null || !drop.ifExists()) {
        throw SqlErrors.at(
            relation == null ? ErrorCode.NO_SUCH_TABLE : ErrorCode.INVALID_STATEMENT,
            relation == null ? "View '" + name + "' not found" : name + " is not a view",
            name.getParserPosition());
      }
    }
    for (ViewEntry view : views) {
      List<ViewEntry> dependents = new ArrayList<>(dependents(view.id()));
      dependents.removeAll(views);
      if (!dependents.isEmpty()) {
        release(view.id(), view.toString(), drop.behavior());
      }
    }
    for (ViewEntry view : views) {
      if (catalog.draft().relation(view.schemaName(), view.name()) == view) {
        catalog.dropView(view);
      }
    }
  }
}
