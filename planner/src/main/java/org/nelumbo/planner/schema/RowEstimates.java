package org.nelumbo.planner.schema;

import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.TableEntry;

/** Estimates the sizes of tables, with the accuracy that access paths and join orders need. */
public final class RowEstimates {
  /** Minimum estimate: smaller tables may grow, and while they do not, it matters little. */
  public static final double LEAST = 1_000;

  private static final double VIEW = 100;

  private RowEstimates() {}

  /** Returns a current estimate without a remote operation. */
  public static double of(Relation relation) {
    return relation instanceof TableEntry table
        ? Math.max(LEAST, (double) table.store().estimate().entries())
        : VIEW;
  }
}
