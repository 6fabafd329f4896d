package org.nelumbo.planner.physical;

import java.util.List;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rex.RexCall;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.basic.SeriesScan;
import org.nelumbo.planner.function.SeriesFunction;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;

/** Plans GENERATE_SERIES in FROM. */
final class SeriesPlanner {
  private static final double ROWS = 1000;

  private SeriesPlanner() {}

  static PlannedRelation plan(PlanContext context, TableFunctionScan scan) {
    RexCall call = (RexCall) scan.getCall();
    if (!(call.getOperator() instanceof SeriesFunction)) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "table function " + call.getOperator().getName() + " is not supported");
    }
    List<Expression> given = new RexTranslator(context, List.of()).translateAll(call.getOperands());
    ColumnType type = SqlTypes.toColumnType(scan.getRowType().getFieldList().getFirst().getType());
    int slot = context.shape().addSlot(type);
    Expression value = Expressions.slot(type, slot, "series");
    boolean ofTime = type.kind().isDatetime();
    Expression step =
        ofTime
            ? given.get(2)
            : Casts.cast(type, given.size() > 2 ? given.get(2) : Expressions.literal(type, 1L));
    SeriesScan series =
        new SeriesScan(
            Casts.cast(type.orNull(), given.get(0)),
            Casts.cast(type.orNull(), given.get(1)),
            step,
            ofTime ? DatetimeFunctions.plus(value, step, false) : null,
            slot);
    return new PlannedRelation(series, List.of(value), ROWS, ProvidedOrder.NONE);
  }
}
