package org.nelumbo.jdbc.statement;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.result.GeneratedKeyColumns;
import org.nelumbo.jdbc.result.GeneratedKeyRows;
import org.nelumbo.jdbc.result.NelumboResultSetMetaData;
import org.nelumbo.jdbc.result.ResultSetType;
import org.nelumbo.jdbc.value.CalendarConversion;
import org.nelumbo.jdbc.value.DecimalRounding;
import org.nelumbo.jdbc.value.LargeObjects;
import org.nelumbo.jdbc.value.ParameterBatch;
import org.nelumbo.jdbc.value.ParameterConverter;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.jdbc.value.TargetTypes;
import org.nelumbo.jdbc.value.ValueTypes;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.ParameterSet;

/**
 * A prepared statement, which uses a single execution. Setters write raw values into the
 * execution's {@link ParameterSet}. A run allocates nothing of its own; a closed result set is
 * reused for the next result.
 */
public final class NelumboPreparedStatement extends AbstractStatement implements PreparedStatement {
  private final GeneratedKeyColumns keys;
  private final ParameterSet parameters;
  private ParameterInfo[] infos;
  private PreparedStatementPlan plan;
  private PreparedBatch batch;

  /** Types required by the values, by parameter; null until a value requires one. */
  private ColumnType[] types;

  public NelumboPreparedStatement(
      Connection connection,
      ConnectionCore connectionCore,
      PreparedStatementPlan plan,
      ResultSetType resultType,
      GeneratedKeyColumns keys)
      throws SQLException {
    super(connection, connectionCore, resultType);
    this.keys = keys;
    this.plan = plan;
    core.use(plan);
    parameters = core.execution().parameters();
    infos = plan.parameters().toArray(new ParameterInfo[0]);
    requestKeys();
  }

  private void requestKeys() throws SQLException {
    try {
      core.requestKeys(keys);
    } catch (Throwable e) {
      SQLException failure = core.failed(e);
      core.close();
      throw failure;
    }
  }

  // Runs.

  private boolean run() throws SQLException {
    try {
      return core.run();
    } finally {
      followPlan();
    }
  }

  /** The engine may have replanned the statement. */
  private void followPlan() {
    PreparedStatementPlan present = core.execution().plan();
    if (present != plan) {
      plan = present;
      infos = present.parameters().toArray(infos);
    }
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    checkOpen();
    try {
      checkReturnsRows(plan);
      run();
      return core.result();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public int executeUpdate() throws SQLException {
    return toInt(executeLargeUpdate());
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    checkOpen();
    try {
      checkReturnsNoRows(plan);
      run();
      core.keepKeys(keys);
      return core.updateCount();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public boolean execute() throws SQLException {
    checkOpen();
    try {
      boolean rows = run();
      core.keepKeys(keys);
      return rows;
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  // Parameters.

  private ParameterInfo info(int number) throws SQLException {
    checkOpen();
    if (number < 1 || number > infos.length) {
      throw noSuchParameter(number);
    }
    return infos[number - 1];
  }

  private SQLException notSet(int number, Throwable e) {
    return e instanceof OutOfMemoryError || e instanceof StackOverflowError
        ? core.failed(e)
        : SqlExceptions.ofCaller("the value of parameter " + number, e);
  }

  private SQLException noSuchParameter(int number) {
    return SqlExceptions.of(
        ErrorCode.BAD_INDEX,
        "there is no parameter "
            + number
            + "; the statement has "
            + infos.length
            + ", counted from 1");
  }

  @Override
  public void setNull(int number, int sqlType) throws SQLException {
    try {
      info(number);
      parameters.setNull(number - 1);
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setBoolean(int number, boolean value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (info.open() || !ParameterConverter.setBoolean(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setByte(int number, byte value) throws SQLException {
    setInt(number, value);
  }

  @Override
  public void setShort(int number, short value) throws SQLException {
    setInt(number, value);
  }

  @Override
  public void setInt(int number, int value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (!ValueTypes.isIntegerFor(info)
          || !ParameterConverter.setInteger(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setLong(int number, long value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (!ValueTypes.isIntegerFor(info)
          || !ParameterConverter.setInteger(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setFloat(int number, float value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (info.type().kind().isFloating()) {
        setDouble(number, value);
      } else {
        setObject(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setDouble(int number, double value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (info.open() && info.type().kind() != Kind.DOUBLE
          || !ParameterConverter.setDouble(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setBigDecimal(int number, BigDecimal value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (value == null) {
        parameters.setNull(number - 1);
      } else if (!ValueTypes.isTypeOf(info, value)
          || !ParameterConverter.setDecimal(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setString(int number, String value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (value == null) {
        parameters.setNull(number - 1);
      } else if (info.type().kind().isCharacter()) {
        parameters.setObject(number - 1, value);
      } else {
        setText(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setObject(int number, Object value) throws SQLException {
    try {
      ParameterInfo info = info(number);
      if (value instanceof String text) {
        setString(number, text);
      } else if (!ValueTypes.isTypeOf(info, value)
          || !ParameterConverter.setObject(parameters, number - 1, info, value)) {
        setTyped(number, value);
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  /** A parameter without a fixed type first loses the type of its previous value. */
  private void setText(int number, String value) throws SQLException {
    if (infos[number - 1].open()) {
      retype(number, null);
    }
    if (!ParameterConverter.setString(parameters, number - 1, infos[number - 1], value)) {
      setTyped(number, new BigDecimal(value.trim()));
    }
  }

  /**
   * The statement is replanned for the type of the value, and the other values are converted where
   * their types change.
   */
  private void setTyped(int number, Object value) throws SQLException {
    ColumnType natural = ValueTypes.of(value);
    retype(number, natural);
    ParameterInfo info = infos[number - 1];
    if (!ParameterConverter.setObject(parameters, number - 1, info, value)) {
      throw SqlExceptions.of(
          ErrorCode.BAD_CAST,
          "a value of type " + natural.sqlName() + " cannot be used as " + info.type().sqlName());
    }
  }

  /**
   * Null stands for the inferred type. If another value cannot be converted, the statement and its
   * parameters remain unchanged.
   */
  private void retype(int number, ColumnType typeOrNull) throws SQLException {
    ColumnType[] wanted = types == null ? new ColumnType[infos.length] : types.clone();
    boolean others = batch != null && batch.rows().rows() > 0;
    wanted[number - 1] =
        others && typeOrNull != null
            ? ValueTypes.common(infos[number - 1].type(), typeOrNull)
            : typeOrNull;
    List<ParameterInfo> before = plan.parameters();
    ParameterSet values = new ParameterSet(parameters.size());
    values.copyFrom(parameters);
    plan(wanted);
    parameters.setNull(number - 1);
    try {
      ParameterBatch.convert(parameters, before, infos);
      if (batch != null) {
        batch.rows().convert(before, infos);
      }
      types = wanted;
    } catch (Throwable e) {
      plan(types == null ? new ColumnType[wanted.length] : types);
      parameters.copyFrom(values);
      throw e;
    }
  }

  private void plan(ColumnType[] wanted) throws SQLException {
    try {
      core.execution().setParameterTypes(Arrays.asList(wanted.clone()));
    } catch (Throwable e) {
      throw core.failed(e);
    }
    followPlan();
  }

  @Override
  public void clearParameters() throws SQLException {
    checkOpen();
    try {
      parameters.clear();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  // Parameters derived from others: dates, and objects with a target type.

  @Override
  public void setNull(int number, int sqlType, String typeName) throws SQLException {
    setNull(number, sqlType);
  }

  @Override
  public void setBytes(int number, byte[] value) throws SQLException {
    try {
      info(number);
      if (value == null) {
        setNull(number, Types.VARBINARY);
      } else {
        setObject(number, value.clone());
      }
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setDate(int number, Date value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setTime(int number, Time value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setTimestamp(int number, Timestamp value) throws SQLException {
    setObject(number, value);
  }

  @Override
  public void setDate(int number, Date value, Calendar calendar) throws SQLException {
    try {
      setObject(
          number, value == null ? null : CalendarConversion.local(value, calendar).toLocalDate());
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setTime(int number, Time value, Calendar calendar) throws SQLException {
    try {
      setObject(
          number, value == null ? null : CalendarConversion.local(value, calendar).toLocalTime());
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  /**
   * Sets a timestamp in the time zone of a calendar. A parameter of type TIMESTAMP WITH LOCAL TIME
   * ZONE takes the value unchanged, because it is already a point in time.
   */
  @Override
  public void setTimestamp(int number, Timestamp value, Calendar calendar) throws SQLException {
    try {
      boolean moment = info(number).type().kind() == Kind.TIMESTAMP_LTZ;
      setObject(
          number, value == null || moment ? value : CalendarConversion.local(value, calendar));
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  /** Sets an object converted to the target type, see {@link TargetTypes}. */
  @Override
  public void setObject(int number, Object value, int targetType) throws SQLException {
    try {
      info(number);
      setObject(number, TargetTypes.convert(value, targetType));
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  /** Sets an object; rounds numbers to the scale if the target is DECIMAL or NUMERIC. */
  @Override
  public void setObject(int number, Object value, int targetType, int scale) throws SQLException {
    boolean rounds = targetType == Types.DECIMAL || targetType == Types.NUMERIC;
    try {
      info(number);
      Object converted = TargetTypes.convert(value, targetType);
      setObject(
          number,
          rounds && converted instanceof BigDecimal decimal
              ? DecimalRounding.scaled(decimal, scale)
              : converted);
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setObject(int number, Object value, SQLType targetType) throws SQLException {
    setObject(number, value, code(targetType));
  }

  @Override
  public void setObject(int number, Object value, SQLType targetType, int scale)
      throws SQLException {
    setObject(number, value, code(targetType), scale);
  }

  private static int code(SQLType type) throws SQLException {
    try {
      return type.getVendorTypeNumber();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the target type", e);
    }
  }

  // Parameters from streams, which are read to their end immediately.

  private void setText(int number, byte[] text, Charset charset) throws SQLException {
    try {
      setString(number, text == null ? null : new String(text, charset));
    } catch (Throwable e) {
      throw notSet(number, e);
    }
  }

  @Override
  public void setAsciiStream(int number, InputStream stream, int length) throws SQLException {
    setAsciiStream(number, stream, (long) length);
  }

  @Override
  public void setAsciiStream(int number, InputStream stream, long length) throws SQLException {
    setText(number, LargeObjects.bytes(stream, length), StandardCharsets.US_ASCII);
  }

  @Override
  public void setAsciiStream(int number, InputStream stream) throws SQLException {
    setText(number, LargeObjects.bytes(stream), StandardCharsets.US_ASCII);
  }

  @Override
  @Deprecated
  public void setUnicodeStream(int number, InputStream stream, int length) throws SQLException {
    setText(number, LargeObjects.bytes(stream, length), StandardCharsets.UTF_8);
  }

  @Override
  public void setBinaryStream(int number, InputStream stream, int length) throws SQLException {
    setBinaryStream(number, stream, (long) length);
  }

  @Override
  public void setBinaryStream(int number, InputStream stream, long length) throws SQLException {
    setBytes(number, LargeObjects.bytes(stream, length));
  }

  @Override
  public void setBinaryStream(int number, InputStream stream) throws SQLException {
    setBytes(number, LargeObjects.bytes(stream));
  }

  @Override
  public void setCharacterStream(int number, Reader reader, int length) throws SQLException {
    setCharacterStream(number, reader, (long) length);
  }

  @Override
  public void setCharacterStream(int number, Reader reader, long length) throws SQLException {
    setString(number, LargeObjects.text(reader, length));
  }

  @Override
  public void setCharacterStream(int number, Reader reader) throws SQLException {
    setString(number, LargeObjects.text(reader));
  }

  @Override
  public void setNCharacterStream(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setNCharacterStream(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  @Override
  public void setNString(int number, String value) throws SQLException {
    setString(number, value);
  }

  // Parameters from large objects, which are handled like other values.

  @Override
  public void setBlob(int number, Blob value) throws SQLException {
    setBytes(number, LargeObjects.bytes(value));
  }

  @Override
  public void setBlob(int number, InputStream stream, long length) throws SQLException {
    setBinaryStream(number, stream, length);
  }

  @Override
  public void setBlob(int number, InputStream stream) throws SQLException {
    setBinaryStream(number, stream);
  }

  @Override
  public void setClob(int number, Clob value) throws SQLException {
    setString(number, LargeObjects.text(value));
  }

  @Override
  public void setClob(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setClob(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  @Override
  public void setNClob(int number, NClob value) throws SQLException {
    setClob(number, value);
  }

  @Override
  public void setNClob(int number, Reader reader, long length) throws SQLException {
    setCharacterStream(number, reader, length);
  }

  @Override
  public void setNClob(int number, Reader reader) throws SQLException {
    setCharacterStream(number, reader);
  }

  // Parameters of unsupported types.

  @Override
  public void setURL(int number, URL value) throws SQLException {
    throw SqlExceptions.unsupported("DATALINK");
  }

  @Override
  public void setRef(int number, Ref value) throws SQLException {
    throw SqlExceptions.unsupported("REF");
  }

  @Override
  public void setArray(int number, Array value) throws SQLException {
    throw SqlExceptions.unsupported("ARRAY");
  }

  @Override
  public void setRowId(int number, RowId value) throws SQLException {
    throw SqlExceptions.unsupported("ROWID");
  }

  @Override
  public void setSQLXML(int number, SQLXML value) throws SQLException {
    throw SqlExceptions.unsupported("XML");
  }

  // Batches.

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    try {
      if (batch == null) {
        batch = new PreparedBatch(core);
      }
      int unset = parameters.firstUnset();
      if (unset >= 0) {
        throw SqlExceptions.of(
            ErrorCode.PARAMETER_NOT_SET, "parameter " + (unset + 1) + " is not set");
      }
      batch.rows().add(parameters);
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    try {
      if (batch != null) {
        batch.rows().clear();
      }
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  /** Runs the batch up to the first row that fails; see {@link PreparedBatch}. */
  @Override
  public long[] executeLargeBatch() throws SQLException {
    checkOpen();
    if (batch == null || batch.rows().rows() == 0) {
      return new long[0];
    }
    checkReturnsNoRows(plan);
    try {
      return runBatch();
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  private long[] runBatch() throws SQLException {
    GeneratedKeyRows kept = keys == GeneratedKeyColumns.NONE ? null : new GeneratedKeyRows();
    try {
      return batch.run(kept);
    } finally {
      followPlan();
      batch.rows().clear();
      if (kept != null) {
        core.keepKeys(kept);
      }
    }
  }

  // Metadata.

  /** Returns a description of the result, or null if the statement returns no rows. */
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

  // Methods with an SQL text, which a prepared statement rejects.

  private SQLException textRefused() throws SQLException {
    checkOpen();
    return SqlExceptions.of(
        ErrorCode.INVALID_STATEMENT,
        "a prepared statement cannot run another SQL string; use createStatement()");
  }

  /** Has no effect: the text was translated when the statement was prepared. */
  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    checkOpen();
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    throw textRefused();
  }

  @Override
  public int executeUpdate(String sql) throws SQLException {
    throw textRefused();
  }

  @Override
  public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    throw textRefused();
  }

  @Override
  public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
    throw textRefused();
  }

  @Override
  public int executeUpdate(String sql, String[] columnNames) throws SQLException {
    throw textRefused();
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    throw textRefused();
  }

  @Override
  public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
    throw textRefused();
  }

  @Override
  public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
    throw textRefused();
  }

  @Override
  public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
    throw textRefused();
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    throw textRefused();
  }

  @Override
  public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
    throw textRefused();
  }

  @Override
  public boolean execute(String sql, int[] columnIndexes) throws SQLException {
    throw textRefused();
  }

  @Override
  public boolean execute(String sql, String[] columnNames) throws SQLException {
    throw textRefused();
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    throw textRefused();
  }
}
