package org.nelumbo.planner.physical;

import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.op.Insert;
import org.nelumbo.executor.op.Operator;
import org.nelumbo.executor.op.TableScan;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.sql.SqlFrontEnd;
import org.nelumbo.sql.SqlParsing;

/** Plans the copying of a table's rows into a table of another form, as ALTER TABLE needs it. */
public final class CopyPlanner {
  private CopyPlanner() {}

  /**
   * An INSERT of all rows of a table.
   *
   * @param sources of each column of the target, the column of the old table it comes from; -1: its
   *     default
   */
  public static Plan plan(
      SqlFrontEnd frontEnd,
      CatalogState state,
      TableEntry old,
      TableDefinition definition,
      TableStore target,
      int[] sources) {
    PlanContext context =
        new PlanContext(
            frontEnd, state, old.schemaName(), Isolation.SERIALIZABLE, List.of());
    int oldRow = context.shape().addRow();
    int newRow = context.shape().addRow();
    Expression[] values = new Expression[sources.length];
    int[] columns = new int[sources.length];
    for (int i = 0; i < sources.length; i++) {
      columns[i] = i;
      values[i] =
          sources[i] < 0
              ? defaultOf(context, definition.columns().get(i))
              : Expressions.column(oldRow, old.store().layout(), sources[i]);
    }
    Operator scan = TableScan.of(old.store(), oldRow, LockTable.READ);
    Operator insert =
        new Insert(scan, target, newRow, new Insert.Definition(columns, values));
    return new Plan(Plan.Kind.INSERT, context.shape(), insert, List.of(), false);
  }

  private static Expression defaultOf(PlanContext context, Column column) {
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
