package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * RESTORE FROM 'directory' [LOG 'directory', ... [UNTIL 'moment']]: makes the tables of a backup,
 * and of what the log has of commits after it, in a database without any. RESTORE FROM 'directory'
 * SALVAGE: makes of a backup, or of the files of a database, what is not damaged.
 */
public final class RestoreDatabase extends NelumboStatement {
  private final String directory;
  private final List<String> logs;
  private final String until;
  private final boolean isSalvage;

  /** Made by the parser; the arguments are described at the getters. */
  public RestoreDatabase(
      SqlParserPos pos, String directory, List<String> logs, String until, boolean isSalvage) {
    super(StatementKind.RESTORE, SqlKind.OTHER_DDL, pos);
    this.directory = directory;
    this.logs = List.copyOf(logs);
    this.until = until;
    this.isSalvage = isSalvage;
  }

  /** The directory of the backups. */
  public String directory() {
    return directory;
  }

  /** Directories with the log; empty if only the backup is wanted. */
  public List<String> logs() {
    return logs;
  }

  /** The moment up to which commits are wanted; null if all are. */
  public String until() {
    return until;
  }

  /** Whether what is not damaged is wanted, though something is. */
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
