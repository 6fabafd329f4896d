package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlVisitor;

/** A window with a GROUPS frame that has an offset. To Calcite it is a ROWS window. */
public final class GroupsWindow extends SqlWindow {
  private static final int ROWS = 4;

  private GroupsWindow(SqlParserPos position, SqlNode[] operands) {
    super(
        position,
        (SqlIdentifier) operands[0],
        (SqlIdentifier) operands[1],
        (SqlNodeList) operands[2],
        (SqlNodeList) operands[3],
        (SqlLiteral) operands[ROWS],
        operands[5],
        operands[6],
        (SqlLiteral) operands[7],
        (SqlLiteral) operands[8]);
  }

  /**
   * Returns the window for a GROUPS frame. Without offsets it is equivalent to a RANGE frame.
   *
   * @param window the window, with RANGE in place of GROUPS
   */
  public static SqlWindow of(SqlWindow window) {
    SqlNode lower = GroupCount.counted(window.getLowerBound());
    SqlNode upper = GroupCount.counted(window.getUpperBound());
    if (lower == window.getLowerBound() && upper == window.getUpperBound()) {
      return window;
    }
    SqlNode[] operands = window.getOperandList().toArray(SqlNode[]::new);
    operands[ROWS] = SqlLiteral.createBoolean(true, window.getParserPosition());
    operands[5] = lower;
    operands[6] = upper;
    return new GroupsWindow(window.getParserPosition(), operands);
  }

  @Override
  public SqlOperator getOperator() {
    return Operator.INSTANCE;
  }

  private static final class Operator extends SqlOperator {
    static final Operator INSTANCE = new Operator();

    private Operator() {
      super("WINDOW", SqlKind.WINDOW, 2, true, null, null, null);
    }

    @Override
    public SqlSyntax getSyntax() {
      return SqlSyntax.SPECIAL;
    }

    @Override
    public SqlCall createCall(SqlLiteral qualifier, SqlParserPos position, SqlNode... operands) {
      return new GroupsWindow(position, operands);
    }

    /** Visits the operands; the name of another window is not an expression. */
    @Override
    public <R> void acceptCall(
        SqlVisitor<R> visitor,
        SqlCall call,
        boolean onlyExpressions,
        SqlBasicVisitor.ArgHandler<R> handler) {
      for (int i = 0; i < call.operandCount(); i++) {
        SqlNode operand = call.operand(i);
        if (!onlyExpressions || operand != null && i != 1) {
          handler.visitChild(visitor, call, i, operand);
        }
      }
    }

    @Override
    public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
      GroupsWindow window = (GroupsWindow) call;
      SqlWriter.Frame frame = writer.startList(SqlWriter.FrameTypeEnum.WINDOW, "(", ")");
      if (window.getRefName() != null) {
        window.getRefName().unparse(writer, 0, 0);
      }
      list(writer, "PARTITION BY", window.getPartitionList());
      list(writer, "ORDER BY", window.getOrderList());
      writer.sep("GROUPS BETWEEN");
      bound(writer, window.getLowerBound());
      writer.keyword("AND");
      bound(writer, window.getUpperBound());
      if (!SqlWindow.isExcludeNoOthers(window.getExclude())) {
        window.getExclude().unparse(writer, 0, 0);
      }
      writer.endList(frame);
    }

    private static void bound(SqlWriter writer, SqlNode bound) {
      if (bound == null) {
        writer.keyword("CURRENT ROW");
      } else {
        bound.unparse(writer, 0, 0);
      }
    }

    private static void list(SqlWriter writer, String words, SqlNodeList nodes) {
      if (!nodes.isEmpty()) {
        writer.sep(words);
        SqlWriter.Frame frame = writer.startList("", "");
        nodes.unparse(writer, 0, 0);
        writer.endList(frame);
      }
    }
  }
}
