package org.nelumbo.executor.op.basic;

import org.nelumbo.executor.expr.Expression;

/** A sort key: an expression, its direction, and the position of its NULLs. */
public record SortKey(Expression expression, boolean descending, boolean nullsFirst) {
  @Override
  public String toString() {
    String direction = descending ? " DESC" : "";
    boolean usual = nullsFirst != descending || !expression.type().nullable();
    return expression + direction + (usual ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST");
  }
}
