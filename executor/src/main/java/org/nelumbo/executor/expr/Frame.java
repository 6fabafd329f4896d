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
 * The mutable state of one execution of a plan: the current row of each access operator, computed
 * slots, the statement's time, and access to the parameters. Reused by successive executions; used
 * by one thread at a time.
 */
public final class Frame {
  private static final int MICROS_UNKNOWN = 0;

  /** NULL flag, see {@link Expression}. */
  public boolean isNull;

  /**
   * Value that {@link Expression#evalUnscaled} could not return as a {@code long}; null otherwise.
   */
  private BigDecimal wide;

  private final FrameLayout layout;
  private final Environment environment;
  private final ParameterSet parameters;
  private final StatementLimits limits;
  private final RowBuffer[] rows;
  private final long[] slotLongs;
  private final Object[] slotObjects;
  private final boolean[] slotNulls;

  private SessionValues session;

  private long epochMicros;

  /** Creates a frame of a plan without parameters. */
  public Frame(FrameLayout shape, Environment environment) {
    this(shape, environment, ParameterSet.EMPTY);
  }

  /** Creates a frame for the evaluation of constants, whose values stay small. */
  public static Frame ofPlanning() {
    return new Frame(new FrameLayout(), null, ParameterSet.EMPTY, StatementLimits.ofPlanning());
  }

  /**
   * Creates a frame for the executions of a plan.
   *
   * @param parameters parameters, which are read at each evaluation; as many as the shape has
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

  /** Returns the limits of the running statement. */
  public StatementLimits limits() {
    return limits;
  }

  /** Starts an execution: resets the statement time, and NULL flags left by an error. */
  public void startStatement() {
    isNull = false;
    wide = null;
    epochMicros = MICROS_UNKNOWN;
  }

  /** Sets the values of the session that expressions read. */
  public void setSession(SessionValues values) {
    session = values;
  }

  /** Returns the values of the session that expressions read; empty without a session. */
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

  /** Sets the NULL flag; the returned number is meaningless. */
  public long nullLong() {
    isNull = true;
    return 0;
  }

  /** Stores a value that does not fit into a {@code long}; the returned number is meaningless. */
  long wideLong(BigDecimal value) {
    wide = value;
    return 0;
  }

  /**
   * Returns and clears the value that did not fit into a {@code long}; null if the last value did.
   */
  public BigDecimal takeWide() {
    BigDecimal value = wide;
    if (value != null) {
      wide = null;
    }
    return value;
  }

  /** Returns the values of the parameters, which belong to the execution. */
  public ParameterSet parameters() {
    return parameters;
  }

  // Rows.

  /** Returns a row; its {@code bytes} are null while it is absent (all its columns are NULL). */
  public RowBuffer row(int row) {
    return rows[row];
  }

  /** Makes a row absent, as an outer join requires: its columns are NULL. */
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

  /** Returns a random number from the environment. */
  long randomLong() {
    return environment.randomLong();
  }

  // Time.

  /** Returns the time zone of CURRENT_DATE and similar functions; UTC without a session. */
  public ZoneId zone() {
    return session == null ? ZoneOffset.UTC : session.zone();
  }

  /**
   * Returns the statement's time in microseconds since the epoch, the same at every call during one
   * execution.
   */
  long statementMicros() {
    if (epochMicros == MICROS_UNKNOWN) {
      epochMicros = environment.epochMicros();
    }
    return epochMicros;
  }
}
