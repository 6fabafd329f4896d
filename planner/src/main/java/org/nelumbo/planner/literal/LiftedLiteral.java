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
 * A literal that has been lifted out of its statement, so that texts which differ in it share a
 * plan: a parameter of exactly the literal's type. Unlike a marker it tells its type itself.
 */
public final class LiftedLiteral extends SqlDynamicParam {
  private final SqlLiteral literal;
  private final boolean anyLength;

  /**
   * A literal in the place of the one at {@code index}.
   *
   * @param anyLength whether texts of other lengths share the plan, too
   */
  LiftedLiteral(int index, SqlLiteral literal, boolean anyLength, SqlParserPos place) {
    super(index, place);
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

  /** What the literal has been converted to, with this in its place. */
  public SqlNode instead(SqlNode converted) {
    if (converted == literal) {
      return this;
    } else if (converted.getKind() == SqlKind.CAST && ((SqlCall) converted).operand(0) == literal) {
      ((SqlCall) converted).setOperand(0, this);
      return converted;
    }
    throw new IllegalStateException("no conversion of a literal: " + converted);
  }

  /** The literal that a node is, lifted or not; null if it is none. */
  public static SqlLiteral of(SqlNode node) {
    return node instanceof LiftedLiteral lifted
        ? lifted.literal
        : node instanceof SqlLiteral literal ? literal : null;
  }

  @Override
  public SqlNode clone(SqlParserPos place) {
    return new LiftedLiteral(getIndex(), literal, anyLength, place);
  }
}
