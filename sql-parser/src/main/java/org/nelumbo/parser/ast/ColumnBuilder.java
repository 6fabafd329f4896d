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

/** Collects the clauses of a column in any order and rejects duplicates. */
public final class ColumnBuilder {
  private final SqlIdentifier name;
  private final SqlDataTypeSpec type;
  private final List<SqlNode> constraints = new ArrayList<>();
  private Boolean nullable;
  private SqlNode defaultValue;
  private Identity identity;
  private SqlNode generation;

  /** Creates a builder for a column with a name and a type. */
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

  /** Creates a builder for a column with IDENTITY in place of a type, as in H2 and HSQLDB. */
  public static ColumnBuilder ofIdentity(SqlIdentifier name, Identity identity) {
    SqlParserPos pos = identity.getParserPosition();
    SqlBasicTypeNameSpec whole = new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, pos);
    ColumnBuilder column = new ColumnBuilder(name, new SqlDataTypeSpec(whole, pos));
    column.identity(identity);
    return column;
  }

  private static CheckConstraint notNegative(SqlIdentifier column, SqlParserPos position) {
    SqlNode zero = SqlLiteral.createExactNumeric("0", position);
    return new CheckConstraint(
        position,
        null,
        SqlStdOperatorTable.GREATER_THAN_OR_EQUAL.createCall(
            position, column.clone(column.getParserPosition()), zero));
  }

  /** Sets NULL or NOT NULL. */
  public void nullable(SqlParserPos pos, boolean value) {
    if (nullable != null && nullable != value) {
      throw SqlSyntaxException.at(pos, "column " + name + " is both NULL and NOT NULL");
    }
    nullable = value;
  }

  /** Sets the DEFAULT value. */
  public void defaultValue(SqlParserPos pos, SqlNode value) {
    if (defaultValue != null) {
      throw SqlSyntaxException.at(pos, "column " + name + " has two DEFAULT values");
    }
    defaultValue = truthValue(value);
  }

  /** Returns a boolean for 0 or 1, which H2, HSQLDB and MySQL write as the DEFAULT of a BIT. */
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

  /** Sets GENERATED ... AS IDENTITY. */
  public void identity(Identity value) {
    if (identity != null) {
      throw SqlSyntaxException.at(
          value.getParserPosition(), "column " + name + " is an identity column twice");
    }
    identity = value;
  }

  /** Sets GENERATED ALWAYS AS (expression). */
  public void generation(SqlParserPos pos, SqlNode value) {
    if (generation != null) {
      throw SqlSyntaxException.at(pos, "column " + name + " is generated twice");
    }
    generation = value;
  }

  /** Adds a constraint on this column. */
  public void constraint(Constraint value) {
    constraints.add(value);
  }

  /** Returns a list with only the name of this column. */
  public SqlNodeList nameOnly() {
    return SqlNodeList.of(name);
  }

  /** Builds the column. */
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
