package org.nelumbo.planner.convert;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.planner.type.NelumboTypeFactory;

/** A builder of expressions that stops when the limits of the statement are exceeded. */
public final class LimitedRexBuilder extends RexBuilder {
  /** Work units charged for one call. */
  private static final int WORK = 16;

  private final StatementLimits limits;

  public LimitedRexBuilder(StatementLimits limits) {
    super(NelumboTypeFactory.INSTANCE);
    this.limits = limits;
  }

  @Override
  public RexNode makeCall(RelDataType type, SqlOperator operator, List<RexNode> operands) {
    limits.work(WORK);
    return super.makeCall(type, operator, operands);
  }

  @Override
  public RexNode makeCall(SqlOperator operator, List<? extends RexNode> operands) {
    limits.work(WORK);
    return super.makeCall(operator, operands);
  }
}
