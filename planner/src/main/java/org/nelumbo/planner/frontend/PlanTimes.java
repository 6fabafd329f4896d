package org.nelumbo.planner.frontend;

import java.util.function.LongSupplier;

/**
 * The times that the stages of one compilation take. A compilation is in one stage at a time, so
 * the stages add up to the total; a stage that is entered again, as after a failed attempt,
 * accumulates. Used by one thread at a time, and constant after {@link #end}.
 */
public final class PlanTimes {
  private final LongSupplier clock;

  /** The present stage; null after the end. */
  private Stage stage = Stage.PARSE;

  private long entered;
  private long parse;
  private long validate;
  private long convert;
  private long optimize;

  /** A stage of a compilation. */
  public enum Stage {
    /** From text to syntax tree, including the parameterization of literals. */
    PARSE,
    /** Resolution of names and types by Calcite's validator. The fast path skips it. */
    VALIDATE,
    /**
     * From syntax tree to relational algebra. The fast path resolves names and types as it
     * converts, so this stage includes them, and an attempt that the fast path gives up. It also
     * includes the parsing and validation of views.
     */
    CONVERT,
    /**
     * Rewriting of subqueries, choice of access paths and join orders, and construction of
     * operators and expressions, which the planner builds as it chooses.
     */
    OPTIMIZE
  }

  /**
   * Starts a compilation with the stage {@link Stage#PARSE}.
   *
   * @param clock a monotonic clock in nanoseconds
   */
  public PlanTimes(LongSupplier clock) {
    this.clock = clock;
    this.entered = clock.getAsLong();
  }

  /** Returns an instance that measures nothing. */
  public static PlanTimes unmeasured() {
    return new PlanTimes(() -> 0);
  }

  /** Ends the present stage and begins another one. */
  public void enter(Stage next) {
    end();
    stage = next;
  }

  /** Ends the compilation; does nothing if it has ended already. */
  public void end() {
    if (stage == null) {
      return;
    }
    long now = clock.getAsLong();
    long passed = now - entered;
    entered = now;
    switch (stage) {
      case PARSE -> parse += passed;
      case VALIDATE -> validate += passed;
      case CONVERT -> convert += passed;
      case OPTIMIZE -> optimize += passed;
    }
    stage = null;
  }

  /** Returns the time in a stage, in units of the clock. */
  public long of(Stage measured) {
    return switch (measured) {
      case PARSE -> parse;
      case VALIDATE -> validate;
      case CONVERT -> convert;
      case OPTIMIZE -> optimize;
    };
  }

  /** Returns the time in all stages. */
  public long total() {
    return parse + validate + convert + optimize;
  }
}
