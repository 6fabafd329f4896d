package org.nelumbo.planner.literal;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.planner.type.NelumboTypeSystem;

/**
 * A literal that has been replaced by a parameter of exactly its type, so that statements that
 * differ only in its value share a plan. Unlike a parameter marker it has a type of its own.
 */
public final class ParameterizedLiteral extends SqlDynamicParam {
  private final SqlLiteral literal;
  private final boolean anyLength;

  /**
   * Creates a parameterized literal.
   *
   * @param index index of the parameter
   * @param anyLength whether strings of other lengths share the plan as well
   */
  ParameterizedLiteral(int index, SqlLiteral literal, boolean anyLength, SqlParserPos position) {
    super(index, position);
    this.literal = literal;
    this.anyLength = anyLength;
  }

  public RelDataType type(RelDataTypeFactory factory) {
    return anyLength
        ? factory.createSqlType(SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH)
        : literal.createSqlType(factory);
  }

  public SqlLiteral literal() {
    return literal;
  }

  /** Returns the converted literal with this parameter in its place. */
  public SqlNode instead(SqlNode converted) {
    if (converted == literal) {
      return this;
    } else if (converted.getKind() == SqlKind.CAST && ((SqlCall) converted).operand(0) == literal) {
      ((SqlCall) converted).setOperand(0, this);
      return converted;
    }
    throw new IllegalStateException("no conversion of a literal: " + converted);
  }

  /** Returns the literal of a node, parameterized or not, or null if it is not a literal. */
  public static SqlLiteral of(SqlNode node) {
    return node instanceof ParameterizedLiteral lifted
        ? lifted.literal
        : node instanceof SqlLiteral literal ? literal : null;
  }

  @Override
  public SqlNode clone(SqlParserPos position) {
    return new ParameterizedLiteral(getIndex(), literal, anyLength, position);
  }
}
