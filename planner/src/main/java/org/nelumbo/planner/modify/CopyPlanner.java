package org.nelumbo.planner.modify;

import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.op.access.FullTableScan;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.BulkInsert;
import org.nelumbo.executor.op.modify.Insert;
import org.nelumbo.executor.op.modify.RowConstraint;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.rex.IdentityExpression;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.session.Isolation;

/** Plans the copying of a table's rows into a store with another schema, for ALTER TABLE. */
public final class CopyPlanner {
  private final PlanContext context;
  private final TableEntry table;

  public CopyPlanner(SqlFrontEnd frontEnd, CatalogState state, TableEntry table) {
    this.context =
        new PlanContext(
            frontEnd,
            state,
            table.schemaName(),
            Isolation.SNAPSHOT,
            List.of(),
            new StatementLimits());
    this.table = table;
  }

  /**
   * Plans a copy of all rows of the table to a target.
   *
   * @param definition definition of the target
   * @param sources for each column of the target, its column in the table; -1 for its default, or
   *     the next number of a numbered column
   * @param computed expressions over the table's columns that replace the values of columns of the
   *     target
   * @param writer transaction that writes the rows; another transaction reads them
   */
  public Plan plan(
      TableDefinition definition,
      int[] sources,
      Map<Integer, SqlNode> computed,
      TableStore target,
      Transaction writer) {
    TableEntry changed = table.withDefinition(definition, target);
    int oldRow = context.shape().addRow();
    int newRow = context.shape().addRow();
    Expression[] values = new Expression[sources.length];
    int[] columns = new int[sources.length];
    for (int i = 0; i < sources.length; i++) {
      columns[i] = i;
      if (computed.containsKey(i)) {
        values[i] = computed(computed.get(i), definition.columns().get(i), oldRow);
        continue;
      }
      values[i] =
          definition.generation(i) != null
              ? null
              : sources[i] < 0
                  ? valueOf(changed, i)
                  : Expressions.column(oldRow, table.store().layout(), sources[i]);
    }
    Operator scan = FullTableScan.of(table.store(), oldRow, LockMode.READ);
    GeneratedValues all = GeneratedValues.ofInsert(context, changed, newRow, columns, values);
    RowConstraint[] checks =
        new ConstraintPlanner(context)
            .checks(changed, SqlFrontEnd.table(changed), newRow)
            .toArray(RowConstraint[]::new);
    Insert.Definition rows =
        new Insert.Definition(all.columns(), all.values(), checks, Insert.OnDuplicate.FAIL)
            .withGenerated(all.count());
    Operator insert = new BulkInsert(scan, target, newRow, rows, writer);
    return Plan.modification(Plan.CommandType.INSERT, context.shape(), insert, List.of());
  }

  private Expression computed(SqlNode value, Column column, int oldRow) {
    CatalogTable old = SqlFrontEnd.table(table);
    RexNode converted =
        context.frontEnd().convertExpression(value, old, context.state(), context.schema());
    List<Expression> columns = ConstraintPlanner.columns(table, oldRow, table.columns().size());
    return Casts.assign(column.type(), new RexTranslator(context, columns).translate(converted));
  }

  private Expression valueOf(TableEntry changed, int ordinal) {
    Column column = changed.definition().columns().get(ordinal);
    if (column.hidden() || column.identity()) {
      return IdentityExpression.hidden(column.type(), changed.sequence(ordinal));
    }
    if (column.defaultText() == null) {
      return Expressions.nullOf(column.type().orNull());
    }
    RexNode value =
        context
            .frontEnd()
            .convertConstant(
                SqlParsing.parseExpression(column.defaultText()),
                context.state(),
                context.schema());
    return new RexTranslator(context, List.of()).translate(value);
  }
}
