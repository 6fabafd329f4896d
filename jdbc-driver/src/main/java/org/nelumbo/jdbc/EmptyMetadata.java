package org.nelumbo.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Results about things the database does not have: right columns, no rows. */
abstract class EmptyMetadata extends FixedFacts {
  private static final String ROUTINE_COLUMN_END =
      " DATA_TYPE# TYPE_NAME PRECISION# LENGTH# SCALE% RADIX% NULLABLE% REMARKS";
  private static final String PRIVILEGE_END = " GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE";

  @Override
  public ResultSet getProcedures(String catalog, String schema, String name) throws SQLException {
    return MetadataRows.empty(
        "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME RESERVED1 RESERVED2 RESERVED3 REMARKS"
            + " PROCEDURE_TYPE% SPECIFIC_NAME");
  }

  @Override
  public ResultSet getProcedureColumns(String catalog, String schema, String name, String column)
      throws SQLException {
    return MetadataRows.empty(
        "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME COLUMN_NAME COLUMN_TYPE%"
            + ROUTINE_COLUMN_END
            + " COLUMN_DEF SQL_DATA_TYPE# SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION#"
            + " IS_NULLABLE SPECIFIC_NAME");
  }

  @Override
  public ResultSet getFunctions(String catalog, String schema, String name) throws SQLException {
    return MetadataRows.empty(
        "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME REMARKS FUNCTION_TYPE% SPECIFIC_NAME");
  }

  @Override
  public ResultSet getFunctionColumns(String catalog, String schema, String name, String column)
      throws SQLException {
    return MetadataRows.empty(
        "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME COLUMN_NAME COLUMN_TYPE%"
            + ROUTINE_COLUMN_END
            + " CHAR_OCTET_LENGTH# ORDINAL_POSITION# IS_NULLABLE SPECIFIC_NAME");
  }

  @Override
  public ResultSet getColumnPrivileges(String catalog, String schema, String table, String column)
      throws SQLException {
    return MetadataRows.empty("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME" + PRIVILEGE_END);
  }

  @Override
  public ResultSet getTablePrivileges(String catalog, String schema, String table)
      throws SQLException {
    return MetadataRows.empty("TABLE_CAT TABLE_SCHEM TABLE_NAME" + PRIVILEGE_END);
  }

  @Override
  public ResultSet getVersionColumns(String catalog, String schema, String table)
      throws SQLException {
    return MetadataRows.empty(
        "SCOPE% COLUMN_NAME DATA_TYPE# TYPE_NAME COLUMN_SIZE# BUFFER_LENGTH# DECIMAL_DIGITS%"
            + " PSEUDO_COLUMN%");
  }

  @Override
  public ResultSet getUDTs(String catalog, String schema, String name, int[] types)
      throws SQLException {
    return MetadataRows.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME CLASS_NAME DATA_TYPE# REMARKS BASE_TYPE%");
  }

  @Override
  public ResultSet getSuperTypes(String catalog, String schema, String name) throws SQLException {
    return MetadataRows.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME SUPERTYPE_CAT SUPERTYPE_SCHEM SUPERTYPE_NAME");
  }

  @Override
  public ResultSet getSuperTables(String catalog, String schema, String name) throws SQLException {
    return MetadataRows.empty("TABLE_CAT TABLE_SCHEM TABLE_NAME SUPERTABLE_NAME");
  }

  @Override
  public ResultSet getAttributes(String catalog, String schema, String type, String attribute)
      throws SQLException {
    return MetadataRows.empty(
        "TYPE_CAT TYPE_SCHEM TYPE_NAME ATTR_NAME DATA_TYPE# ATTR_TYPE_NAME ATTR_SIZE#"
            + " DECIMAL_DIGITS# NUM_PREC_RADIX# NULLABLE# REMARKS ATTR_DEF SQL_DATA_TYPE#"
            + " SQL_DATETIME_SUB# CHAR_OCTET_LENGTH# ORDINAL_POSITION# IS_NULLABLE SCOPE_CATALOG"
            + " SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE%");
  }

  @Override
  public ResultSet getPseudoColumns(String catalog, String schema, String table, String column)
      throws SQLException {
    return MetadataRows.empty(
        "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE# COLUMN_SIZE# DECIMAL_DIGITS#"
            + " NUM_PREC_RADIX# COLUMN_USAGE REMARKS CHAR_OCTET_LENGTH# IS_NULLABLE");
  }

  @Override
  public ResultSet getCatalogs() throws SQLException {
    return MetadataRows.empty("TABLE_CAT");
  }
}
