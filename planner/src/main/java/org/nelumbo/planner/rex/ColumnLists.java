package org.nelumbo.planner.rex;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.expr.ColumnReference;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.SlotReference;
import org.nelumbo.planner.relation.RelationBuilder;

/** Helper methods for lists of expressions that are the columns of planned relations. */
public final class ColumnLists {
  private ColumnLists() {}

  /**
   * Returns the columns of a side that an outer join may pad with NULLs; the side has been
   * {@linkplain RelationBuilder#materialize materialized}.
   */
  public static List<Expression> absent(List<Expression> columns) {
    List<Expression> nullable = new ArrayList<>();
    for (Expression column : columns) {
      nullable.add(
          switch (column) {
            case ColumnReference reference -> reference.whereAbsent();
            case SlotReference slot ->
                Expressions.slot(slot.type().orNull(), slot.slot(), slot.toString());
            default -> throw new IllegalArgumentException("not materialised column=" + column);
          });
    }
    return nullable;
  }

  public static Expression[] array(List<Expression> expressions) {
    return expressions.toArray(Expression[]::new);
  }

  public static List<Expression> concat(List<Expression> left, List<Expression> right) {
    List<Expression> both = new ArrayList<>(left);
    both.addAll(right);
    return both;
  }
}
