package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;
import org.nelumbo.parser.dialect.SqlText;

/**
 * A syntax tree node that Calcite does not have: a fixed keyword pattern with children.
 *
 * <p>Children are the operands, so Calcite's visitors and shuttles traverse and rewrite these trees
 * like any other. Flags and enums are not children; they survive a rewrite because {@link #rebuild}
 * copies them from the original node. Absent children are null. Two nodes are equal if they are of
 * one class and write the same SQL.
 */
public abstract class AstNode extends SqlCall {
  private final String title;
  private final SqlKind kind;

  AstNode(String title, SqlKind kind, SqlParserPos pos) {
    super(pos);
    this.title = title;
    this.kind = kind;
  }

  /** Returns this node with other children, in the order of {@link #getOperandList}. */
  abstract SqlNode rebuild(SqlParserPos pos, List<SqlNode> children);

  /** Returns a list of children, some of which may be null. */
  static List<SqlNode> children(SqlNode... nodes) {
    List<SqlNode> list = new ArrayList<>(nodes.length);
    for (SqlNode node : nodes) {
      list.add(node);
    }
    return list;
  }

  @Override
  public SqlOperator getOperator() {
    return new RebuildingOperator(this);
  }

  @Override
  public SqlKind getKind() {
    return kind;
  }

  @Override
  public SqlNode clone(SqlParserPos pos) {
    return rebuild(pos, getOperandList());
  }

  @Override
  public boolean equalsDeep(SqlNode node, Litmus litmus) {
    if (this == node) {
      return true;
    }
    if (node == null || node.getClass() != getClass() || !SqlText.of(node).equals(toString())) {
      return litmus.fail("{} != {}", this, node);
    }
    return litmus.succeed();
  }

  @Override
  public final String toString() {
    return SqlText.of(this);
  }

  /** An operator bound to one node, so that generic rewriting keeps the flags of the node. */
  private static final class RebuildingOperator extends SqlSpecialOperator {
    private final AstNode node;

    RebuildingOperator(AstNode node) {
      super(node.title, node.kind);
      this.node = node;
    }

    @Override
    public SqlCall createCall(SqlLiteral quantifier, SqlParserPos pos, SqlNode... operands) {
      return (SqlCall) node.rebuild(pos, children(operands));
    }
  }
}
