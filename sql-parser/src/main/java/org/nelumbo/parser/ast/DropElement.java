package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP COLUMN or DROP CONSTRAINT in an ALTER TABLE. */
public final class DropElement extends TableChange {
  /** Elements of a table that can be dropped. */
  public enum Element {
    COLUMN,
    CONSTRAINT
  }

  private final Element element;
  private final SqlIdentifier name;
  private final boolean ifExists;
  private final DropBehavior behavior;

  public DropElement(
      SqlParserPos pos,
      Element element,
      SqlIdentifier name,
      boolean ifExists,
      DropBehavior behavior) {
    super("DROP " + element, SqlKind.OTHER_DDL, pos);
    this.element = element;
    this.name = name;
    this.ifExists = ifExists;
    this.behavior = behavior;
  }

  public Element element() {
    return element;
  }

  /** Returns the name of the column or constraint. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if a missing column or constraint is not an error. */
  public boolean ifExists() {
    return ifExists;
  }

  /** Returns CASCADE, RESTRICT or unspecified. */
  public DropBehavior behavior() {
    return behavior;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DropElement(pos, element, (SqlIdentifier) children.get(0), ifExists, behavior);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP " + element);
    Writing.keywordIf(writer, ifExists, "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.keywordIf(writer, behavior != DropBehavior.UNSPECIFIED, behavior.name());
  }
}
