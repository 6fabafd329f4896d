package org.nelumbo.planner.schema;

import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.TableEntry;

/** Estimates of the sizes of tables, as exact as access paths and the order of joins need them. */
public final class RowEstimates {
  /** Smaller tables count as this large: they may grow, and it matters little while they do not. */
  public static final double LEAST = 1_000;

  private static final double VIEW = 100;

  private RowEstimates() {}

  /** An estimate of this moment; costs no verb. */
  public static double of(Relation relation) {
    return relation instanceof TableEntry table
        ? Math.max(LEAST, (double) table.store().hash().estimate().entries())
        : VIEW;
  }
}
