package org.nelumbo.jdbc.result;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.JdbcTypes;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.types.ColumnType;

/** Description of the columns of a result. Immutable. */
public final class NelumboResultSetMetaData extends AbstractWrapper implements ResultSetMetaData {
  private final List<ResultColumn> columns;

  public NelumboResultSetMetaData(List<ResultColumn> columns) {
    this.columns = columns;
  }

  private ResultColumn column(int column) throws SQLException {
    if (column < 1 || column > columns.size()) {
      throw SqlExceptions.of(
          ErrorCode.NO_SUCH_COLUMN,
          "there is no column " + column + "; the result has " + columns.size());
    }
    return columns.get(column - 1);
  }

  private ColumnType type(int column) throws SQLException {
    return column(column).type();
  }

  @Override
  public int getColumnCount() {
    return columns.size();
  }

  @Override
  public boolean isAutoIncrement(int column) throws SQLException {
    return column(column).identity();
  }

  @Override
  public boolean isCaseSensitive(int column) throws SQLException {
    return type(column).kind().isCharacter();
  }

  @Override
  public boolean isSearchable(int column) throws SQLException {
    column(column);
    return true;
  }

  @Override
  public boolean isCurrency(int column) throws SQLException {
    column(column);
    return false;
  }

  @Override
  public int isNullable(int column) throws SQLException {
    return type(column).nullable() ? columnNullable : columnNoNulls;
  }

  @Override
  public boolean isSigned(int column) throws SQLException {
    return JdbcTypes.isSigned(type(column));
  }

  @Override
  public int getColumnDisplaySize(int column) throws SQLException {
    return JdbcTypes.displaySize(type(column));
  }

  @Override
  public String getColumnLabel(int column) throws SQLException {
    return column(column).label();
  }

  @Override
  public String getColumnName(int column) throws SQLException {
    return column(column).name();
  }

  @Override
  public String getSchemaName(int column) throws SQLException {
    return column(column).schema();
  }

  @Override
  public int getPrecision(int column) throws SQLException {
    return JdbcTypes.precision(type(column));
  }

  @Override
  public int getScale(int column) throws SQLException {
    return JdbcTypes.scale(type(column));
  }

  @Override
  public String getTableName(int column) throws SQLException {
    return column(column).table();
  }

  @Override
  public String getCatalogName(int column) throws SQLException {
    column(column);
    return "";
  }

  @Override
  public int getColumnType(int column) throws SQLException {
    return JdbcTypes.code(type(column));
  }

  @Override
  public String getColumnTypeName(int column) throws SQLException {
    return JdbcTypes.name(type(column));
  }

  @Override
  public boolean isReadOnly(int column) throws SQLException {
    return !isWritable(column);
  }

  /** Returns true if the column belongs to a table, even if the result is read-only. */
  @Override
  public boolean isWritable(int column) throws SQLException {
    return !column(column).table().isEmpty();
  }

  @Override
  public boolean isDefinitelyWritable(int column) throws SQLException {
    column(column);
    return false;
  }

  @Override
  public String getColumnClassName(int column) throws SQLException {
    return JdbcTypes.className(type(column));
  }
}
