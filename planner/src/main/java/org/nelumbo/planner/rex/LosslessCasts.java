package org.nelumbo.planner.rex;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Removes casts that change no value. Calcite adds them to bring both sides of a comparison to one
 * type; Nelumbo's comparisons accept numbers of different types.
 */
public final class LosslessCasts {
  private LosslessCasts() {}

  /** Returns the node without such casts. */
  public static RexNode strip(RexNode node) {
    RexNode inner = node;
    while (inner.getKind() == SqlKind.CAST && inner instanceof RexCall call) {
      RexNode operand = call.getOperands().getFirst();
      if (!isLossless(operand.getType(), call.getType())) {
        return inner;
      }
      inner = operand;
    }
    return inner;
  }

  /**
   * Returns the node without such casts, and without a cast of a DATE to TIMESTAMP. An index on a
   * DATE column can be searched by a timestamp.
   */
  public static RexNode stripToKey(RexNode node) {
    RexNode inner = strip(node);
    if (inner.getKind() == SqlKind.CAST
        && inner instanceof RexCall call
        && call.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP) {
      RexNode operand = call.getOperands().getFirst();
      return operand.getType().getSqlTypeName() == SqlTypeName.DATE ? strip(operand) : inner;
    }
    return inner;
  }

  private static boolean isLossless(RelDataType from, RelDataType to) {
    if (SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isExactNumeric(to)) {
      if (NelumboTypeFactory.isNumeric(from) || NelumboTypeFactory.isNumeric(to)) {
        return NelumboTypeFactory.isNumeric(to);
      }
      return integerDigits(to) >= integerDigits(from) && scale(to) >= scale(from);
    }
    boolean texts = SqlTypeUtil.inCharFamily(from) && SqlTypeUtil.inCharFamily(to);
    if (texts || SqlTypeUtil.isBinary(from) && SqlTypeUtil.isBinary(to)) {
      return to.getPrecision() >= from.getPrecision();
    }
    return from.getSqlTypeName() == to.getSqlTypeName()
        && from.getSqlTypeName() != SqlTypeName.NULL
        && sameIgnoringNull(from, to);
  }

  private static boolean sameIgnoringNull(RelDataType from, RelDataType to) {
    return SqlTypes.toColumnType(from).orNull().equals(SqlTypes.toColumnType(to).orNull());
  }

  private static int integerDigits(RelDataType type) {
    ColumnType column = SqlTypes.toColumnType(type);
    return switch (column.kind()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      default -> column.precision() - column.scale();
    };
  }

  private static int scale(RelDataType type) {
    ColumnType column = SqlTypes.toColumnType(type);
    return column.kind() == Kind.DECIMAL ? column.scale() : 0;
  }
}
