package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** ALTER INDEX, VIEW or SEQUENCE ... RENAME TO, depending on {@link #statementKind}. */
public final class RenameObject extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean ifExists;
  private final SqlIdentifier newName;

  public RenameObject(
      SqlParserPos pos,
      StatementKind kind,
      SqlIdentifier name,
      boolean ifExists,
      SqlIdentifier newName) {
    super(kind, SqlKind.OTHER_DDL, pos);
    this.name = name;
    this.ifExists = ifExists;
    this.newName = newName;
  }

  /** Returns the name of the object, with or without its schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if a missing object is not an error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** Returns the new name; the object remains in its schema. */
  public SqlIdentifier newName() {
    return newName;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, newName);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new RenameObject(
        pos,
        statementKind(),
        (SqlIdentifier) children.get(0),
        ifExists,
        (SqlIdentifier) children.get(1));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(statementKind().title());
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.clauseIf(writer, "RENAME TO", newName);
  }
}
