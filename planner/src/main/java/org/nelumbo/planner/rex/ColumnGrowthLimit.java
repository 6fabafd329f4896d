package org.nelumbo.planner.rex;

import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.nelumbo.executor.expr.Expression;

/**
 * Limits the size of the expressions behind the columns of derived tables. A reference to a column
 * is replaced by its expression. If each of n nested tables uses a column twice, the expression
 * would become 2^n times as large. Beyond a size, a column is therefore computed once per row.
 */
public final class ColumnGrowthLimit {
  /** Maximum number of nodes of an expression with its references replaced. */
  private static final int MOST_NODES = 1_000;

  /** Number of nodes of columns that are not mere references. */
  private final IdentityHashMap<Expression, Integer> sizes = new IdentityHashMap<>();

  /** Returns true if an expression would be too large with the given number of nodes. */
  public boolean isTooMuch(RexNode expression, long nodes) {
    return nodes > MOST_NODES && nodes > 2L * expression.nodeCount();
  }

  /** Returns true if any of the expressions would be too large with its references replaced. */
  public boolean areTooMuch(List<RexNode> expressions, List<Expression> inputs) {
    for (RexNode expression : expressions) {
      if (isTooMuch(expression, size(expression, inputs))) {
        return true;
      }
    }
    return false;
  }

  /** Records the sizes of columns, each of which is an expression over inputs. */
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
