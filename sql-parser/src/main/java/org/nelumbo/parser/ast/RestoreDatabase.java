package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * Restores a database. RESTORE FROM 'directory' [LOG 'directory', ... [UNTIL 'moment']] creates the
 * tables of a backup in an empty database, and applies later commits from the log. RESTORE FROM
 * 'directory' SALVAGE restores the undamaged parts of a backup or of the files of a database.
 */
public final class RestoreDatabase extends NelumboStatement {
  private final String directory;
  private final List<String> logs;
  private final String until;
  private final boolean isSalvage;

  public RestoreDatabase(
      SqlParserPos pos, String directory, List<String> logs, String until, boolean isSalvage) {
    super(StatementKind.RESTORE, SqlKind.OTHER_DDL, pos);
    this.directory = directory;
    this.logs = List.copyOf(logs);
    this.until = until;
    this.isSalvage = isSalvage;
  }

  /** Returns the directory of the backups. */
  public String directory() {
    return directory;
  }

  /** Returns the directories of the log; empty if only the backup is restored. */
  public List<String> logs() {
    return logs;
  }

  /** Returns the time up to which commits are restored, or null for all. */
  public String until() {
    return until;
  }

  /** Returns true if damaged parts are skipped. */
  public boolean isSalvage() {
    return isSalvage;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RestoreDatabase(pos, directory, logs, until, isSalvage);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "RESTORE FROM", text(directory));
    for (int i = 0; i < logs.size(); i++) {
      Writing.clauseIf(writer, i == 0 ? "LOG" : ",", text(logs.get(i)));
    }
    Writing.keywordIf(writer, isSalvage, "SALVAGE");
    Writing.clauseIf(writer, "UNTIL", until == null ? null : text(until));
  }

  private SqlNode text(String value) {
    return SqlLiteral.createCharString(value, getParserPosition());
  }
}
