package org.nelumbo.jdbc;

import java.math.BigDecimal;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.function.IntConsumer;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.planner.ParameterInfo;
import org.nelumbo.planner.PreparedStatementPlan;

/**
 * A prepared statement: one execution for its whole life, whose parameters are set as raw values.
 * Running it makes no garbage of its own; a result set that was closed is used again for the next
 * result.
 */
final class NelumboPreparedStatement extends RareSetters implements PreparedStatement {
  private final GeneratedKeys keys;
  private final ParameterSet parameters;
  private ParameterInfo[] infos;
  private PreparedStatementPlan plan;
  private PreparedBatch batch;

  NelumboPreparedStatement(
      NelumboConnection connection,
      PreparedStatementPlan plan,
      ResultSetType resultType,
      GeneratedKeys keys)
      throws SQLException {
    super(connection, resultType);
    this.keys = keys;
    this.plan = plan;
    use(plan);
    parameters = execution().parameters();
    infos = plan.parameters().toArray(new ParameterInfo[0]);
    ask(keys);
  }

  /** After a run: the engine may have planned the statement again. */
  private void followPlan() {
    PreparedStatementPlan present = execution().plan();
    if (present != plan) {
      plan = present;
      infos = present.parameters().toArray(infos);
    }
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    checkOpen();
    checkSort(plan, true);
    run();
    followPlan();
    return result();
  }

  @Override
  public int executeUpdate() throws SQLException {
    return toInt(executeLargeUpdate());
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    checkOpen();
    checkSort(plan, false);
    run();
    followPlan();
    keepKeys(keys);
    return updateCount();
  }

  @Override
  public boolean execute() throws SQLException {
    checkOpen();
    boolean rows = run();
    followPlan();
    keepKeys(keys);
    return rows;
  }

  // Parameters.

  @Override
  ParameterInfo info(int number) throws SQLException {
    checkOpen();
    if (number < 1 || number > infos.length) {
      throw noSuchParameter(number);
    }
    return infos[number - 1];
  }

  private SQLException noSuchParameter(int number) {
    return Errors.of(
        ErrorCode.BAD_INDEX,
        "there is no parameter "
            + number
            + "; the statement has "
            + infos.length
            + ", counted from 1");
  }

  @Override
  public void setNull(int number, int sqlType) throws SQLException {
    info(number);
    parameters.setNull(number - 1);
  }

  @Override
  public void setBoolean(int number, boolean value) throws SQLException {
    ToRaw.setBoolean(parameters, number - 1, info(number), value);
  }

  @Override
  public void setByte(int number, byte value) throws SQLException {
    setLong(number, value);
  }

  @Override
  public void setShort(int number, short value) throws SQLException {
    setLong(number, value);
  }

  @Override
  public void setInt(int number, int value) throws SQLException {
    setLong(number, value);
  }

  @Override
  public void setLong(int number, long value) throws SQLException {
    ToRaw.setInteger(parameters, number - 1, info(number), value);
  }

  @Override
  public void setFloat(int number, float value) throws SQLException {
    ParameterInfo info = info(number);
    if (info.type().kind().isFloating()) {
      ToRaw.setDouble(parameters, number - 1, info, value);
    } else {
      ToRaw.setObject(parameters, number - 1, info, value);
    }
  }

  @Override
  public void setDouble(int number, double value) throws SQLException {
    ToRaw.setDouble(parameters, number - 1, info(number), value);
  }

  @Override
  public void setBigDecimal(int number, BigDecimal value) throws SQLException {
    ParameterInfo info = info(number);
    if (value == null) {
      parameters.setNull(number - 1);
    } else {
      ToRaw.setDecimal(parameters, number - 1, info, value);
    }
  }

  @Override
  public void setString(int number, String value) throws SQLException {
    ParameterInfo info = info(number);
    if (value == null) {
      parameters.setNull(number - 1);
    } else if (info.type().kind().isCharacter()) {
      parameters.setObject(number - 1, value);
    } else {
      ToRaw.setString(parameters, number - 1, info, value);
    }
  }

  @Override
  public void setObject(int number, Object value) throws SQLException {
    ToRaw.setObject(parameters, number - 1, info(number), value);
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    parameters.clear();
  }

  // Batches.

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    if (batch == null) {
      batch = new PreparedBatch(this);
    }
    int unset = parameters.firstUnset();
    if (unset >= 0) {
      throw Errors.of(ErrorCode.PARAMETER_NOT_SET, "parameter " + (unset + 1) + " is not set");
    }
    batch.rows().add(parameters);
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    if (batch != null) {
      batch.rows().clear();
    }
  }

  /** Stops at the first row that fails; see {@link PreparedBatch} for auto-commit mode. */
  @Override
  public long[] executeLargeBatch() throws SQLException {
    checkOpen();
    if (batch == null || batch.rows().rows() == 0) {
      return new long[0];
    }
    checkSort(plan, false);
    KeptKeys kept = keys == GeneratedKeys.NONE ? null : new KeptKeys();
    try {
      return batch.run(kept);
    } finally {
      batch.rows().clear();
      if (kept != null) {
        keepKeys(kept);
      }
    }
  }

  /** Runs a row of a batch; its update count. */
  long runRow() throws SQLException {
    run();
    followPlan();
    return updateCount();
  }

  /** As {@link #runMany}. */
  boolean runRows(int rows, IntConsumer setRow) throws SQLException {
    boolean done = runMany(rows, setRow);
    followPlan();
    return done;
  }

  // Metadata.

  /** Null if the statement returns no rows. */
  @Override
  public ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return plan.kind().returnsRows() ? new NelumboResultSetMetaData(plan.columns()) : null;
  }

  @Override
  public ParameterMetaData getParameterMetaData() throws SQLException {
    checkOpen();
    return new NelumboParameterMetaData(plan.parameters());
  }

  // What the base class does with a text of its own.

  private static SQLException prepared() {
    return Errors.of(
        ErrorCode.INVALID_STATEMENT,
        "a prepared statement cannot run another text; use createStatement()");
  }

  @Override
  void checkTextAllowed() throws SQLException {
    throw prepared();
  }
}
