package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.ast.ChosenRows;
import org.nelumbo.parser.ast.DeleteUsing;
import org.nelumbo.parser.ast.InsertDefaults;
import org.nelumbo.parser.ast.InsertOnConflict;
import org.nelumbo.parser.ast.MergeInto;
import org.nelumbo.parser.ast.Overriding;
import org.nelumbo.parser.ast.OverridingInsert;
import org.nelumbo.parser.ast.Returning;
import org.nelumbo.parser.ast.UpdateFrom;
import org.nelumbo.parser.ast.Upsert;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.ChangeQueries;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.modify.ConflictKeys;
import org.nelumbo.planner.modify.ImpliedKeys;
import org.nelumbo.planner.modify.ModifyPlanner;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.plain.TableChange;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.session.ResultColumn;

/**
 * Plans statements that change rows, in three parts: the change as far as Calcite supports it, a
 * query for everything else, and the columns of RETURNING.
 */
final class ChangePlanner {
  private final StatementPlanner.Setting setting;
  private final SqlFrontEnd frontEnd;
  private final SqlNode change;
  private final SqlNodeList returned;
  private final SqlFrontEnd.StatementParts parts;
  private PlanContext context;

  /** Creates a planner for one statement. */
  ChangePlanner(StatementPlanner.Setting setting, SqlFrontEnd frontEnd, SqlNode statement) {
    this.setting = setting;
    this.frontEnd = frontEnd;
    this.parts =
        frontEnd.parts(
            statement,
            setting.state(),
            setting.schema(),
            setting.parameterTypes(),
            setting.limits(),
            setting.times());
    SqlNode written = statement instanceof Returning returning ? returning.change() : statement;
    this.change = parts.resolved(written);
    this.returned =
        statement instanceof Returning returning
            ? parts.resolved(returning.items(), written)
            : null;
  }

  /** Returns true if a statement changes rows. */
  static boolean isChange(SqlNode statement) {
    return switch (statement) {
      case Returning _, InsertOnConflict _, InsertDefaults _, Upsert _ -> true;
      case UpdateFrom _, DeleteUsing _, MergeInto _ -> true;
      case SqlInsert _, SqlUpdate _, SqlDelete _ -> true;
      default -> false;
    };
  }

  PhysicalPlan plan() {
    return switch (change) {
      case InsertOnConflict insert -> onConflict(insert);
      case Upsert upsert -> onConflict(ImpliedKeys.resolve(entry(upsert), upsert));
      case InsertDefaults insert -> modified(defaults(insert), insert.table(), null);
      case UpdateFrom update -> updateFrom(update);
      case DeleteUsing delete -> deleteUsing(delete);
      case MergeInto merge -> merge(merge);
      case SqlInsert insert -> modified(insert, insert.getTargetTable(), null);
      case SqlUpdate update -> modified(update, update.getTargetTable(), update.getAlias());
      case SqlDelete delete -> modified(delete, delete.getTargetTable(), delete.getAlias());
      default -> throw new IllegalStateException("changes no rows: " + change.getKind());
    };
  }

  private record Target(
      CatalogTable table, TableEntry entry, ChangeQueries queries, SqlIdentifier alias) {}

  private Target target(SqlIdentifier name, SqlIdentifier alias) {
    CatalogTable table = parts.table(name);
    TableEntry entry = ModifyPlanner.changeable(table);
    return new Target(table, entry, new ChangeQueries(table, entry, name), alias);
  }

  /**
   * Rewrites ORDER BY and LIMIT of an UPDATE or DELETE as a subquery that selects the rows by
   * primary key.
   */
  private static void chooseByKey(SqlNode statement, TableEntry table) {
    SqlNode condition =
        statement instanceof SqlUpdate update
            ? update.getCondition()
            : statement instanceof SqlDelete delete ? delete.getCondition() : null;
    if (!ChosenRows.isChosen(condition)) {
      return;
    }
    if (table.definition().hiddenColumn() >= 0) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "LIMIT in UPDATE and DELETE needs a primary key of table " + table.name(),
          condition.getParserPosition());
    }
    List<String> key = new ArrayList<>();
    for (int column : table.schema().primaryKey()) {
      key.add(table.columns().get(column).name());
    }
    SqlNode chosen = ChosenRows.ofKey(condition, ChosenRows.called(statement), key);
    ((SqlCall) statement).setOperand(statement instanceof SqlUpdate ? 3 : 1, chosen);
  }

  private PhysicalPlan modified(SqlNode statement, SqlNode table, SqlIdentifier alias) {
    Target target = target((SqlIdentifier) table, alias); // the parser attaches no hints to it
    PhysicalPlan plain = returned == null ? plain(statement, target) : null;
    if (plain != null) {
      return plain;
    }
    chooseByKey(statement, target.entry());
    ConvertedStatement converted = parts.convert(statement);
    ConvertedStatement shown = convertReturned(target);
    ModifyPlanner planner = newPlanner();
    Overriding overriding =
        statement instanceof SqlInsert insert ? OverridingInsert.overriding(insert) : null;
    return finished(planner.plan((TableModify) placed(converted), overriding), shown);
  }

  /** Plans a change without a relational tree; returns null if it is too complex for that. */
  private PhysicalPlan plain(SqlNode statement, Target target) {
    if (statement instanceof SqlInsert insert) {
      List<List<RexNode>> rows = parts.plainRows(insert, target.table, target.entry);
      return rows == null
          ? null
          : finished(newPlanner().insertRows(target.table, target.entry, rows), null);
    }
    TableChange tableChange = parts.convertChange(statement, target.table, target.entry);
    return tableChange == null
        ? null
        : finished(newPlanner().change(target.table, target.entry, tableChange), null);
  }

  private static SqlInsert defaults(InsertDefaults insert) {
    SqlParserPos pos = insert.getParserPosition();
    SqlNode row =
        SqlStdOperatorTable.ROW.createCall(pos, SqlStdOperatorTable.DEFAULT.createCall(pos));
    return new SqlInsert(
        pos,
        SqlNodeList.EMPTY,
        insert.table(),
        SqlStdOperatorTable.VALUES.createCall(pos, row),
        null);
  }

  private TableEntry entry(Upsert upsert) {
    return target((SqlIdentifier) upsert.insert().getTargetTable(), null).entry;
  }

  private PhysicalPlan onConflict(InsertOnConflict insert) {
    if (!insert.doesNothing()
        && insert.conflictColumns().isEmpty()
        && insert.constraint() == null) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "ON CONFLICT DO UPDATE has to name a key; write ON CONFLICT (columns) DO UPDATE",
          insert.getParserPosition());
    }
    Target target = target((SqlIdentifier) insert.insert().getTargetTable(), null);
    ConvertedStatement converted = parts.convert(insert.insert());
    ConvertedStatement assigned =
        insert.doesNothing() ? null : parts.convert(target.queries.of(insert));
    ConvertedStatement shown = convertReturned(target);
    int[] columns = insert.doesNothing() ? null : target.queries.columns(insert.updateColumns());
    boolean named =
        !insert.conflictColumns().isEmpty()
            && insert.conflictColumns().stream().allMatch(SqlIdentifier.class::isInstance);
    int[] key = named ? target.queries.columns(insert.conflictColumns()) : null;
    ModifyPlanner planner = newPlanner();
    ModifyPlanner.OnConflict conflict =
        new ModifyPlanner.OnConflict(
            ConflictKeys.find(target.entry, key, insert),
            assigned == null ? null : expressions(assigned),
            columns);
    return finished(
        planner.insert(
            (TableModify) placed(converted),
            conflict,
            OverridingInsert.overriding(insert.insert())),
        shown);
  }

  private static Project expressions(ConvertedStatement query) {
    if (query.root().rel instanceof Project project) {
      return project;
    }
    throw new NelumboException(
        ErrorCode.UNSUPPORTED,
        "ON CONFLICT DO UPDATE takes expressions over the table and EXCLUDED; use MERGE for"
            + " others");
  }

  private PhysicalPlan updateFrom(UpdateFrom update) {
    Target target = target(update.table(), update.alias());
    int[] columns = target.queries.columns(update.columns());
    ConvertedStatement rows = parts.convert(target.queries.of(update));
    requireOwnColumns(update.table(), update.alias());
    ConvertedStatement shown = convertReturned(target);
    ModifyPlanner planner = newPlanner();
    return finished(planner.updateFrom(target.table, target.entry, placed(rows), columns), shown);
  }

  private PhysicalPlan deleteUsing(DeleteUsing delete) {
    Target target = target(delete.table(), delete.alias());
    ConvertedStatement rows = parts.convert(target.queries.of(delete));
    requireOwnColumns(delete.table(), delete.alias());
    ConvertedStatement shown = convertReturned(target);
    ModifyPlanner planner = newPlanner();
    return finished(planner.deleteUsing(target.entry, placed(rows)), shown);
  }

  private PhysicalPlan merge(MergeInto merge) {
    Target target = target(merge.table(), merge.alias());
    ConvertedStatement rows = parts.convert(target.queries.of(merge));
    ConvertedStatement shown = convertReturned(target);
    ModifyPlanner planner = newPlanner();
    return finished(
        planner.merge(target.table, target.entry, placed(rows), merge, target.queries), shown);
  }

  private void requireOwnColumns(SqlIdentifier table, SqlIdentifier alias) {
    String own = alias == null ? table.names.getLast() : alias.getSimple();
    for (SqlNode item : returned == null ? List.<SqlNode>of() : returned) {
      item.accept(
          new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier name) {
              if (name.names.size() == 2 && !name.names.getFirst().equals(own)) {
                throw SqlErrors.at(
                    ErrorCode.UNSUPPORTED,
                    "this is not supported: RETURNING shows columns of the table that is changed;"
                        + " read others by a SELECT",
                    name.getParserPosition());
              }
              return null;
            }
          });
    }
  }

  private RelNode placed(ConvertedStatement converted) {
    return RowLocks.placed(context, converted);
  }

  private ConvertedStatement convertReturned(Target target) {
    return returned == null
        ? null
        : parts.convert(target.queries.returning(returned, target.alias));
  }

  /** All parts of the statement have been converted. */
  private ModifyPlanner newPlanner() {
    context = setting.newContext(frontEnd, parts.parameters());
    return new ModifyPlanner(context, new RelPlanner(context));
  }

  private PhysicalPlan finished(ModifyPlanner.Modification modification, ConvertedStatement shown) {
    TableEntry target = modification.target();
    List<ResultColumn> columns = new ArrayList<>();
    List<Plan.OutputColumn> outputs = ModifyPlanner.columns(target, modification.row());
    if (shown == null) {
      for (Column column : target.columns()) {
        columns.add(
            new ResultColumn(
                column.name(),
                column.name(),
                target.name(),
                target.schemaName(),
                column.type(),
                column.identity()));
      }
    } else {
      outputs = returned(shown, outputs, columns);
    }
    Plan plan =
        Plan.modification(
            modification.commandType(), context.shape(), modification.operator(), outputs);
    return new PhysicalPlan(
        plan, columns, parts.parameters(), context.tables(), target, false, context.usesValues());
  }

  private List<Plan.OutputColumn> returned(
      ConvertedStatement shown, List<Plan.OutputColumn> row, List<ResultColumn> columns) {
    if (!(shown.root().rel instanceof Project project)) {
      throw new NelumboException(ErrorCode.UNSUPPORTED, "RETURNING takes expressions of each row");
    }
    List<Expression> fields = row.stream().map(Plan.OutputColumn::expression).toList();
    List<Expression> values =
        new RexTranslator(context, fields).translateAll(project.getProjects());
    List<Plan.OutputColumn> outputs = new ArrayList<>();
    List<RelDataTypeField> validated = shown.rowType().getFieldList();
    for (int i = 0; i < validated.size(); i++) {
      var type = SqlTypes.toColumnType(validated.get(i).getType());
      Expression value = values.get(shown.root().fields.get(i).getKey());
      String label = SqlFrontEnd.label(validated.get(i));
      outputs.add(new Plan.OutputColumn(label, Casts.cast(type, value)));
      columns.add(
          StatementPlanner.resultColumn(
              setting.state(), label, shown.origins().get(i), outputs.getLast().type()));
    }
    return outputs;
  }
}
