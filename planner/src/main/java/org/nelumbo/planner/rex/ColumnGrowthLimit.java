package org.nelumbo.planner.rex;

import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.nelumbo.executor.expr.Expression;

/**
 * Keeps the expressions behind the columns of derived tables small. A column that is used is
 * replaced by its expression; used twice by each of n tables that are nested, it would be 2^n times
 * as large. Beyond a size a column is computed once for each row instead.
 */
public final class ColumnGrowthLimit {
  /** Nodes that an expression may grow to by what it refers to. */
  private static final int MOST_NODES = 1_000;

  /** Nodes of columns that are more than a reference. */
  private final IdentityHashMap<Expression, Integer> sizes = new IdentityHashMap<>();

  /** Whether an expression would be too large with so many nodes instead of its own. */
  public boolean isTooMuch(RexNode expression, long nodes) {
    return nodes > MOST_NODES && nodes > 2L * expression.nodeCount();
  }

  /** Whether some of the expressions would be too large if they were to contain their inputs. */
  public boolean areTooMuch(List<RexNode> expressions, List<Expression> inputs) {
    for (RexNode expression : expressions) {
      if (isTooMuch(expression, size(expression, inputs))) {
        return true;
      }
    }
    return false;
  }

  /** Notes the sizes of columns, each made of an expression over inputs. */
  public void note(List<Expression> columns, List<RexNode> expressions, List<Expression> inputs) {
    for (int i = 0; i < columns.size(); i++) {
      if (!(expressions.get(i) instanceof RexInputRef)) {
        sizes.put(columns.get(i), (int) size(expressions.get(i), inputs));
      }
    }
  }

  private long size(RexNode expression, List<Expression> inputs) {
    long[] size = {expression.nodeCount()};
    expression.accept(
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitInputRef(RexInputRef reference) {
            size[0] += sizes.getOrDefault(inputs.get(reference.getIndex()), 0);
            return null;
          }
        });
    return size[0];
  }
}
