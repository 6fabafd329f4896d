package org.nelumbo.jdbc.statement;

import java.sql.ParameterMetaData;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.jdbc.value.AbstractWrapper;
import org.nelumbo.jdbc.value.JdbcTypes;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.ColumnType;

/** Description of the parameters of a statement. Immutable. */
final class NelumboParameterMetaData extends AbstractWrapper implements ParameterMetaData {
  private final List<ParameterInfo> parameters;

  NelumboParameterMetaData(List<ParameterInfo> parameters) {
    this.parameters = parameters;
  }

  private ColumnType type(int parameter) throws SQLException {
    if (parameter < 1 || parameter > parameters.size()) {
      throw SqlExceptions.badParameter(
          "there is no parameter " + parameter + "; the statement has " + parameters.size());
    }
    return parameters.get(parameter - 1).type();
  }

  @Override
  public int getParameterCount() {
    return parameters.size();
  }

  @Override
  public int isNullable(int parameter) throws SQLException {
    return type(parameter).nullable() ? parameterNullable : parameterNullableUnknown;
  }

  @Override
  public boolean isSigned(int parameter) throws SQLException {
    return JdbcTypes.isSigned(type(parameter));
  }

  @Override
  public int getPrecision(int parameter) throws SQLException {
    return JdbcTypes.precision(type(parameter));
  }

  @Override
  public int getScale(int parameter) throws SQLException {
    return JdbcTypes.scale(type(parameter));
  }

  @Override
  public int getParameterType(int parameter) throws SQLException {
    return JdbcTypes.code(type(parameter));
  }

  @Override
  public String getParameterTypeName(int parameter) throws SQLException {
    return JdbcTypes.name(type(parameter));
  }

  @Override
  public String getParameterClassName(int parameter) throws SQLException {
    return JdbcTypes.className(type(parameter));
  }

  @Override
  public int getParameterMode(int parameter) throws SQLException {
    type(parameter);
    return parameterModeIn;
  }
}
