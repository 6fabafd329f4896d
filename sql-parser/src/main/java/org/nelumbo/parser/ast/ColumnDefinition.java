package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A column: {@code name type [NOT NULL] [DEFAULT value] [GENERATED ...] [constraints]}.
 *
 * <p>Constraints beside the column are stored as table constraints on this one column.
 */
public final class ColumnDefinition extends AstNode {
  private final SqlIdentifier name;
  private final SqlDataTypeSpec type;
  private final SqlNode defaultValue;
  private final Identity identity;
  private final SqlNode generation;
  private final SqlNodeList constraints;

  public ColumnDefinition(
      SqlParserPos pos,
      SqlIdentifier name,
      SqlDataTypeSpec type,
      SqlNode defaultValue,
      Identity identity,
      SqlNode generation,
      SqlNodeList constraints) {
    super("COLUMN", SqlKind.COLUMN_DECL, pos);
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.identity = identity;
    this.generation = generation;
    this.constraints = constraints;
  }

  public SqlIdentifier name() {
    return name;
  }

  /** Returns the type; its nullability is null if neither NULL nor NOT NULL was written. */
  public SqlDataTypeSpec type() {
    return type;
  }

  /** Returns the value of DEFAULT, or null if there is none. */
  public SqlNode defaultValue() {
    return defaultValue;
  }

  /** Returns the identity clause, or null if there is none. */
  public Identity identity() {
    return identity;
  }

  /** Returns the expression of GENERATED ALWAYS AS (...), or null if there is none. */
  public SqlNode generation() {
    return generation;
  }

  /** Returns the {@link Constraint}s beside the column; empty if there are none. */
  public SqlNodeList constraints() {
    return constraints;
  }

  /** Returns true if NOT NULL was written. */
  public boolean isNotNull() {
    return Boolean.FALSE.equals(type.getNullable());
  }

  /** Returns this column with an identity that starts with another number. */
  ColumnDefinition startingAt(long first) {
    Identity changed =
        new Identity(identity.getParserPosition(), identity.always(), first, identity.increment());
    return new ColumnDefinition(
        getParserPosition(), name, type, defaultValue, changed, generation, constraints);
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, type, defaultValue, identity, generation, constraints);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new ColumnDefinition(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlDataTypeSpec) children.get(1),
        children.get(2),
        (Identity) children.get(3),
        children.get(4),
        (SqlNodeList) children.get(5));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    name.unparse(writer, 0, 0);
    type.unparse(writer, 0, 0);
    Writing.keywordIf(writer, Boolean.FALSE.equals(type.getNullable()), "NOT NULL");
    Writing.keywordIf(writer, Boolean.TRUE.equals(type.getNullable()), "NULL");
    Writing.clauseIf(writer, "DEFAULT", defaultValue);
    if (identity != null) {
      identity.unparse(writer, 0, 0);
    }
    if (generation != null) {
      writer.keyword("GENERATED ALWAYS AS");
      Writing.parenthesized(writer, List.of(generation));
      writer.keyword("STORED");
    }
    for (SqlNode constraint : constraints) {
      ((Constraint) constraint).unparseInColumn(writer);
    }
  }
}
