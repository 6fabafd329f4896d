package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** DROP COLUMN or DROP CONSTRAINT of an ALTER TABLE. */
public final class DropElement extends TableChange {
  /** What of a table can be dropped. */
  public enum Element {
    COLUMN,
    CONSTRAINT
  }

  private final Element element;
  private final SqlIdentifier name;
  private final boolean ifExists;
  private final DropBehavior behavior;

  /** Made by the parser; the arguments are described at the getters. */
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

  /** What is dropped. */
  public Element element() {
    return element;
  }

  /** The name of the column or constraint. */
  public SqlIdentifier name() {
    return name;
  }

  /** Whether a missing column or constraint is no error. */
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
