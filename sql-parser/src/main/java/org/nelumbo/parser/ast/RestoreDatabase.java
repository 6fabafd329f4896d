package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** RESTORE FROM 'directory': makes the tables of the newest backup in a database without any. */
public final class RestoreDatabase extends NelumboStatement {
  private final String directory;

  /** Made by the parser; the arguments are described at the getters. */
  public RestoreDatabase(SqlParserPos pos, String directory) {
    super(StatementKind.RESTORE, SqlKind.OTHER_DDL, pos);
    this.directory = directory;
  }

  /** The directory of the backups. */
  public String directory() {
    return directory;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RestoreDatabase(pos, directory);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(
        writer, "RESTORE FROM", SqlLiteral.createCharString(directory, getParserPosition()));
  }
}
