package org.nelumbo.planner.relation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;

/**
 * Slots for rows that come from several places, or from none.
 *
 * @param numbers the slots in the frame
 * @param columns expressions that read them
 */
public record RowSlots(int[] numbers, List<ColumnType> types, List<Expression> columns) {
  /** Adds a slot for each field to the frame of a statement. */
  public static RowSlots of(PlanContext context, List<RelDataTypeField> fields) {
    int[] numbers = new int[fields.size()];
    List<ColumnType> types = new ArrayList<>();
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      ColumnType type = SqlTypes.toColumnType(fields.get(i).getType()).orNull();
      numbers[i] = context.shape().addSlot(type);
      types.add(type);
      columns.add(Expressions.slot(type, numbers[i], fields.get(i).getName()));
    }
    return new RowSlots(numbers, types, columns);
  }

  /** Converts a row to the types of the slots. */
  public Expression[] cast(List<Expression> row) {
    Expression[] cast = new Expression[numbers.length];
    for (int i = 0; i < cast.length; i++) {
      cast[i] = Casts.cast(types.get(i), row.get(i));
    }
    return cast;
  }
}
