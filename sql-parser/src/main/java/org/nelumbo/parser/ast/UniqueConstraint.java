package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code UNIQUE (columns)}. */
public final class UniqueConstraint extends KeyConstraint {
  public UniqueConstraint(SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super("UNIQUE", SqlKind.UNIQUE, pos, name, columns);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new UniqueConstraint(
        pos, (SqlIdentifier) children.get(0), (SqlNodeList) children.get(1));
  }
}
