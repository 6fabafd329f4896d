package org.nelumbo.planner.modify;

import java.util.List;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.BulkInsert;
import org.nelumbo.executor.op.modify.Insert;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.rex.IdentityExpression;

/** Plans the insertion of the rows of a query into a new table, for CREATE TABLE ... AS. */
public final class FillPlanner {
  private FillPlanner() {}

  /**
   * Plans the insertion of the rows of a query into a table.
   *
   * @param query plan with one value for each visible column; it becomes part of the result
   * @param writer transaction that writes the rows; another transaction reads them
   */
  public static Plan plan(PhysicalPlan query, TableEntry target, Transaction writer) {
    List<Column> columns = target.definition().columns();
    List<Plan.OutputColumn> given = query.plan().columns();
    int[] ordinals = new int[columns.size()];
    Expression[] values = new Expression[ordinals.length];
    int next = 0;
    for (int i = 0; i < ordinals.length; i++) {
      ordinals[i] = i;
      values[i] =
          columns.get(i).hidden()
              ? IdentityExpression.hidden(columns.get(i).type(), target.sequence(i))
              : Casts.assign(columns.get(i).type(), given.get(next++).expression());
    }
    int row = query.plan().frameLayout().addRow();
    Operator insert =
        new BulkInsert(
            query.plan().root(),
            target.store(),
            row,
            new Insert.Definition(ordinals, values),
            writer);
    return Plan.modification(
        Plan.CommandType.INSERT, query.plan().frameLayout(), insert, List.of());
  }
}
