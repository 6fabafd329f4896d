package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.session.SessionValues;
import org.nelumbo.types.ParameterSet;

/**
 * The mutable state of one execution of a plan: the row each access operator stands on, computed
 * slots, the statement's time, and the way to the parameters. Reused from execution to execution;
 * one thread at a time.
 */
public final class Frame {
  private static final int MICROS_UNKNOWN = 0;

  /** The NULL flag, see {@link Expression}. */
  public boolean isNull;

  /** The value that {@link Expression#evalUnscaled} could not give as a {@code long}; else null. */
  private BigDecimal wide;

  private final FrameLayout layout;
  private final Environment environment;
  private final ParameterSet parameters;
  private final StatementLimits limits;
  private final RowBuffer[] rows;
  private final long[] slotLongs;
  private final Object[] slotObjects;
  private final boolean[] slotNulls;

  /** Null: expressions have no session to ask. */
  private SessionValues session;

  private long epochMicros;

  /** A frame of a plan without parameters. */
  public Frame(FrameLayout shape, Environment environment) {
    this(shape, environment, ParameterSet.EMPTY);
  }

  /** A frame for constants, whose values stay small. */
  public static Frame ofPlanning() {
    return new Frame(new FrameLayout(), null, ParameterSet.EMPTY, StatementLimits.ofPlanning());
  }

  /**
   * A frame for the executions of a plan.
   *
   * @param parameters read at each evaluation; as many as the shape has
   */
  public Frame(FrameLayout shape, Environment environment, ParameterSet parameters) {
    this(shape, environment, parameters, new StatementLimits());
  }

  private Frame(
      FrameLayout shape, Environment environment, ParameterSet parameters, StatementLimits limits) {
    assert parameters.size() == shape.parameterCount() : "parameters=" + parameters.size();
    this.layout = shape;
    this.environment = environment;
    this.parameters = parameters;
    this.limits = limits;
    this.rows = new RowBuffer[shape.rowCount()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new RowBuffer();
      rows[i].bytes = null;
    }
    this.slotLongs = new long[shape.slotCount()];
    this.slotObjects = new Object[shape.slotCount()];
    this.slotNulls = new boolean[shape.slotCount()];
  }

  public FrameLayout layout() {
    return layout;
  }

  /** The limits of the statement that runs. */
  public StatementLimits limits() {
    return limits;
  }

  /** Called before each execution: a new statement time, no NULL left from an error. */
  public void startStatement() {
    isNull = false;
    wide = null;
    epochMicros = MICROS_UNKNOWN;
  }

  /** Sets what expressions ask about the session. */
  public void setSession(SessionValues values) {
    session = values;
  }

  /** What expressions ask about the session; without one, nothing is known. */
  public SessionValues session() {
    if (session == null) {
      session = new SessionValues();
    }
    return session;
  }

  /** Reads and clears the NULL flag. */
  public boolean takeNull() {
    if (isNull) {
      isNull = false;
      return true;
    }
    return false;
  }

  /** Sets the NULL flag; the returned number means nothing. */
  public long nullLong() {
    isNull = true;
    return 0;
  }

  /** Notes a value that does not fit into a {@code long}; the returned number means nothing. */
  long wideLong(BigDecimal value) {
    wide = value;
    return 0;
  }

  /** Takes the value that did not fit into a {@code long}; null if the last one did. */
  public BigDecimal takeWide() {
    BigDecimal value = wide;
    if (value != null) {
      wide = null;
    }
    return value;
  }

  /** The values of the parameters, which belong to the execution. */
  public ParameterSet parameters() {
    return parameters;
  }

  // Rows.

  /** The row at a place; its {@code bytes} are null while there is none (all columns are NULL). */
  public RowBuffer row(int row) {
    return rows[row];
  }

  /** Takes the row away: its columns are NULL from now on, as an outer join needs it. */
  public void clearRow(int row) {
    rows[row].bytes = null;
  }

  // Slots.

  public void setSlotNull(int slot) {
    slotNulls[slot] = true;
    slotObjects[slot] = null;
  }

  public void setSlotLong(int slot, long raw) {
    slotNulls[slot] = false;
    slotLongs[slot] = raw;
  }

  public void setSlotObject(int slot, Object raw) {
    slotNulls[slot] = raw == null;
    slotObjects[slot] = raw;
  }

  /** Evaluates an expression into a slot of its type. */
  public void setSlot(int slot, Expression expression) {
    if (!expression.type().isLong()) {
      setSlotObject(slot, expression.evalObject(this));
      return;
    }
    long raw = expression.evalLong(this);
    if (takeNull()) {
      setSlotNull(slot);
    } else {
      setSlotLong(slot, raw);
    }
  }

  public boolean isSlotNull(int slot) {
    return slotNulls[slot];
  }

  public long slotLong(int slot) {
    return slotLongs[slot];
  }

  public Object slotObject(int slot) {
    return slotObjects[slot];
  }

  /** A random number of the session's. */
  long randomLong() {
    return environment.randomLong();
  }

  // Time.

  /** The time zone of CURRENT_DATE and the like; UTC unless the session says. */
  public ZoneId zone() {
    return session == null ? ZoneOffset.UTC : session.zone();
  }

  /**
   * The statement's time, microseconds since the epoch: the same at every call of one execution.
   */
  long statementMicros() {
    if (epochMicros == MICROS_UNKNOWN) {
      epochMicros = environment.epochMicros();
    }
    return epochMicros;
  }
}
