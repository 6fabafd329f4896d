package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.parser.ast.LockWait;
import org.nelumbo.parser.ast.LockingQuery;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.convert.ConvertedStatement;
import org.nelumbo.planner.frontend.PlanTimes;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.modify.PhysicalPlan;
import org.nelumbo.planner.plain.TableQuery;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.subquery.SharedQueryNodes;
import org.nelumbo.planner.subquery.SubQueryRewriter;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.planner.validate.GivenTypes;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.types.ColumnType;

/** Plans statements: turns a syntax tree into an executable plan. Thread-safe. */
public final class StatementPlanner {
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();

  /** The context for which a statement is planned. */
  record Setting(
      CatalogState state,
      String schema,
      Isolation isolation,
      GivenTypes parameterTypes,
      StatementLimits limits,
      PlanTimes times) {
    /** Begins the stage OPTIMIZE. */
    PlanContext newContext(SqlFrontEnd frontEnd, List<ParameterInfo> parameters) {
      times.enter(PlanTimes.Stage.OPTIMIZE);
      return new PlanContext(frontEnd, state, schema, isolation, parameters, limits);
    }
  }

  /** Plans a query or a change of rows. */
  public PhysicalPlan plan(
      SqlNode statement, CatalogState state, String schema, Isolation isolation) {
    return plan(
        statement,
        state,
        schema,
        isolation,
        GivenTypes.NONE,
        new StatementLimits(),
        PlanTimes.unmeasured());
  }

  /**
   * Plans a query or a change of rows under resource limits.
   *
   * @param parameterTypes types of the parameter values
   * @param limits limits of the statement
   * @param times receives the times of the stages after PARSE
   */
  public PhysicalPlan plan(
      SqlNode statement,
      CatalogState state,
      String schema,
      Isolation isolation,
      GivenTypes parameterTypes,
      StatementLimits limits,
      PlanTimes times) {
    Setting setting = new Setting(state, schema, isolation, parameterTypes, limits, times);
    try {
      if (statement instanceof LockingQuery locking) {
        return locking(locking, setting);
      }
      return ChangePlanner.isChange(statement)
          ? new ChangePlanner(setting, frontEnd, statement).plan()
          : query(statement, setting);
    } catch (NelumboException e) {
      throw e;
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      throw SqlErrors.map(e);
    }
  }

  public SqlFrontEnd frontEnd() {
    return frontEnd;
  }

  private PhysicalPlan query(SqlNode statement, Setting setting) {
    SqlFrontEnd.StatementParts parts =
        frontEnd.parts(
            statement,
            setting.state,
            setting.schema,
            setting.parameterTypes,
            setting.limits,
            setting.times);
    TableQuery query = parts.convertPlain(statement);
    return query == null ? query(parts.convert(statement), setting) : query(query, setting);
  }

  private PhysicalPlan query(TableQuery query, Setting setting) {
    PlanContext context = setting.newContext(frontEnd, query.parameters());
    PlannedRelation planned = new TableQueryPlanner(context, query).plan();
    return query(
        context, planned, planned.columns(), query.fields(), query.origins(), query.parameters());
  }

  PhysicalPlan query(ConvertedStatement converted, Setting setting) {
    PlanContext context = setting.newContext(frontEnd, converted.parameters());
    RelNode root = RowLocks.placed(context, converted);
    return query(context, converted, new RelPlanner(context).plan(root));
  }

  private PhysicalPlan locking(LockingQuery locking, Setting setting) {
    ConvertedStatement converted =
        frontEnd.convert(
            locking.query(),
            setting.state,
            setting.schema,
            setting.parameterTypes,
            setting.limits,
            setting.times);
    PlanContext context = setting.newContext(frontEnd, converted.parameters());
    RelNode root = SubQueryRewriter.rewrite(SharedQueryNodes.inlined(converted));
    LockedTables tables = LockedTables.of(locking, root);
    boolean skips = locking.lockWait() == LockWait.SKIP_LOCKED;
    RowLocks locks = new RowLocks(context);
    locks.request(skips ? tables.shown() : tables.all(), locking.strength(), locking.lockWait());
    return query(context, converted, new RelPlanner(context).plan(locks.place(root)));
  }

  private PhysicalPlan query(
      PlanContext context, ConvertedStatement converted, PlannedRelation planned) {
    List<Expression> expressions = new ArrayList<>();
    for (Map.Entry<Integer, String> field : converted.root().fields) {
      expressions.add(planned.columns().get(field.getKey()));
    }
    return query(
        context,
        planned,
        expressions,
        converted.rowType().getFieldList(),
        converted.origins(),
        converted.parameters());
  }

  private static PhysicalPlan query(
      PlanContext context,
      PlannedRelation planned,
      List<Expression> expressions,
      List<RelDataTypeField> fields,
      List<List<String>> origins,
      List<ParameterInfo> parameters) {
    List<ResultColumn> columns = new ArrayList<>();
    List<Plan.OutputColumn> outputs = new ArrayList<>();
    for (int i = 0; i < expressions.size(); i++) {
      ColumnType type = SqlTypes.toColumnType(fields.get(i).getType());
      Expression output = Casts.cast(type, expressions.get(i));
      String label = SqlFrontEnd.label(fields.get(i));
      outputs.add(new Plan.OutputColumn(label, output));
      List<String> origin = i < origins.size() ? origins.get(i) : null;
      columns.add(resultColumn(context.state(), label, origin, output.type()));
    }
    boolean readOnly = !context.usesWriteLocks();
    Plan plan = Plan.query(context.shape(), planned.operator(), outputs, readOnly);
    return new PhysicalPlan(
        plan,
        columns,
        parameters,
        context.tables(),
        null,
        context.changesSession(),
        context.usesValues());
  }

  static ResultColumn resultColumn(
      CatalogState state, String label, List<String> origin, ColumnType type) {
    if (origin == null || origin.size() < 3) {
      return ResultColumn.ofExpression(label, type);
    }
    String column = origin.getLast();
    String table = origin.get(origin.size() - 2);
    String schema = origin.get(origin.size() - 3);
    Relation relation = state.relation(schema, table);
    boolean identity =
        relation != null
            && relation.columns().stream()
                .anyMatch(each -> each.name().equals(column) && each.identity());
    return new ResultColumn(label, column, table, schema, type, identity);
  }
}
