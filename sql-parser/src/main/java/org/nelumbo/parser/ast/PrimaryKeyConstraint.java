package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code PRIMARY KEY (columns)}. */
public final class PrimaryKeyConstraint extends KeyConstraint {
  public PrimaryKeyConstraint(SqlParserPos pos, SqlIdentifier name, SqlNodeList columns) {
    super("PRIMARY KEY", SqlKind.PRIMARY_KEY, pos, name, columns);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new PrimaryKeyConstraint(
        pos, (SqlIdentifier) children.get(0), (SqlNodeList) children.get(1));
  }
}
