package org.nelumbo.sql.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.sql.StatementKind;

/** DROP SCHEMA. */
public final class DropSchema extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Made by the parser; the arguments are described at the getters. */
  public DropSchema(SqlParserPos pos, SqlIdentifier name, boolean ifExists, DropBehavior behavior) {
    super(StatementKind.DROP_SCHEMA, SqlKind.DROP_SCHEMA, pos);
    this.name = name;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  /** The schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Whether a missing schema is no error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** CASCADE, RESTRICT or neither. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropSchema(pos, (SqlIdentifier) children.get(0), ifExists, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP SCHEMA");
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
