package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** BACKUP TO 'directory' [FULL]: writes a backup of the database. */
public final class BackupDatabase extends NelumboStatement {
  private final String directory;
  private final boolean isFull;

  public BackupDatabase(SqlParserPos pos, String directory, boolean isFull) {
    super(StatementKind.BACKUP, SqlKind.OTHER, pos);
    this.directory = directory;
    this.isFull = isFull;
  }

  /** Returns the directory of the backups. */
  public String directory() {
    return directory;
  }

  /**
   * Returns true for a full backup; otherwise the backup contains the changes since the previous
   * one.
   */
  public boolean isFull() {
    return isFull;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new BackupDatabase(pos, directory, isFull);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(
        writer, "BACKUP TO", SqlLiteral.createCharString(directory, getParserPosition()));
    Writing.keywordIf(writer, isFull, "FULL");
  }
}
