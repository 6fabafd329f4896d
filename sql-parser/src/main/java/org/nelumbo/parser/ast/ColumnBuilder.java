package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** Collects the clauses of a column in any order and refuses those that are said twice. */
public final class ColumnBuilder {
  private final SqlIdentifier name;
  private final SqlDataTypeSpec type;
  private final List<SqlNode> constraints = new ArrayList<>();
  private Boolean nullable;
  private SqlNode defaultValue;
  private Identity identity;
  private SqlNode generation;

  /** A column of which the name and the type have been read. */
  public ColumnBuilder(SqlIdentifier name, SqlDataTypeSpec type) {
    this.name = name;
    SqlBasicTypeNameSpec signed = TypeAliases.signed(type.getTypeNameSpec());
    this.type = signed == null ? type : new SqlDataTypeSpec(signed, type.getParserPosition());
    if (signed != null) {
      constraints.add(notNegative(name, type.getParserPosition()));
    }
    if (type.getTypeNameSpec() instanceof SerialTypeName) {
      identity = new Identity(type.getParserPosition(), false, 1, 1);
    }
  }

  /** Begins a column that IDENTITY stands behind instead of a type, as in H2 and HSQLDB. */
  public static ColumnBuilder ofIdentity(SqlIdentifier name, Identity identity) {
    SqlParserPos pos = identity.getParserPosition();
    SqlBasicTypeNameSpec whole = new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, pos);
    ColumnBuilder column = new ColumnBuilder(name, new SqlDataTypeSpec(whole, pos));
    column.identity(identity);
    return column;
  }

  private static CheckConstraint notNegative(SqlIdentifier column, SqlParserPos place) {
    SqlNode zero = SqlLiteral.createExactNumeric("0", place);
    return new CheckConstraint(
        place,
        null,
        SqlStdOperatorTable.GREATER_THAN_OR_EQUAL.createCall(
            place, column.clone(column.getParserPosition()), zero));
  }

  /** NULL or NOT NULL. */
  public void nullable(SqlParserPos pos, boolean value) {
    if (nullable != null && nullable != value) {
      throw SqlSyntaxException.at(pos, "column " + name + " is both NULL and NOT NULL");
    }
    nullable = value;
  }

  /** DEFAULT value. */
  public void defaultValue(SqlParserPos pos, SqlNode value) {
    if (defaultValue != null) {
      throw SqlSyntaxException.at(pos, "column " + name + " has two DEFAULT values");
    }
    defaultValue = truthValue(value);
  }

  /** Returns a truth value for 0 or 1, which H2, HSQLDB and MySQL write as DEFAULT of BIT. */
  private SqlNode truthValue(SqlNode value) {
    boolean isTruth =
        type.getTypeNameSpec().getTypeName().getSimple().equals(SqlTypeName.BOOLEAN.getName());
    if (isTruth && value instanceof SqlNumericLiteral number && number.isInteger()) {
      String digits = number.toValue();
      return digits.equals("0") || digits.equals("1")
          ? SqlLiteral.createBoolean(digits.equals("1"), value.getParserPosition())
          : value;
    }
    return value;
  }

  /** GENERATED ... AS IDENTITY. */
  public void identity(Identity value) {
    if (identity != null) {
      throw SqlSyntaxException.at(
          value.getParserPosition(), "column " + name + " is an identity column twice");
    }
    identity = value;
  }

  /** GENERATED ALWAYS AS (expression). */
  public void generation(SqlParserPos pos, SqlNode value) {
    if (generation != null) {
      throw SqlSyntaxException.at(pos, "column " + name + " is generated twice");
    }
    generation = value;
  }

  /** A constraint over this column. */
  public void constraint(Constraint value) {
    constraints.add(value);
  }

  /** A list of only this column's name. */
  public SqlNodeList nameOnly() {
    return SqlNodeList.of(name);
  }

  /** The column. */
  public ColumnDefinition build(SqlParserPos pos) {
    if (identity != null && defaultValue != null) {
      throw SqlSyntaxException.at(
          defaultValue.getParserPosition(),
          "column " + name + " is an identity column and cannot have a DEFAULT");
    }
    if (generation != null && (identity != null || defaultValue != null)) {
      throw SqlSyntaxException.at(
          generation.getParserPosition(),
          "column " + name + " is generated, and can have neither DEFAULT nor IDENTITY");
    }
    SqlDataTypeSpec fullType = nullable == null ? type : type.withNullable(nullable);
    SqlNodeList list =
        constraints.isEmpty() ? SqlNodeList.EMPTY : new SqlNodeList(constraints, pos);
    return new ColumnDefinition(pos, name, fullType, defaultValue, identity, generation, list);
  }
}
