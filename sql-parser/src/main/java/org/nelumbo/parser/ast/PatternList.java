package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The patterns of {@code a LIKE ANY ('x%', 'y%')} and of LIKE ALL, as in PostgreSQL: equivalent to
 * several LIKE conditions with OR or AND.
 */
public final class PatternList extends SqlSpecialOperator {
  /** Precedence of operands that need no parentheses. */
  private static final int PRECEDENCE = 200;

  private static final PatternList ANY = new PatternList("ANY");
  private static final PatternList ALL = new PatternList("ALL");

  private PatternList(String name) {
    super(name, SqlKind.OTHER, PRECEDENCE);
  }

  /** Creates the list as the right side of a LIKE. */
  public static SqlNode of(SqlParserPos position, boolean all, List<SqlNode> patterns) {
    return (all ? ALL : ANY).createCall(position, patterns);
  }

  /** Returns the equivalent of a comparison with such a list, or null for other calls. */
  public static SqlNode comparison(SqlCall call) {
    if (call.operandCount() != 2
        || !(call.operand(1) instanceof SqlCall patterns)
        || !(patterns.getOperator() instanceof PatternList)) {
      return null;
    }
    List<SqlNode> comparisons = new ArrayList<>();
    for (SqlNode pattern : patterns.getOperandList()) {
      comparisons.add(
          call.getOperator()
              .createCall(
                  call.getParserPosition(), call.operand(0).accept(new CopyingShuttle()), pattern));
    }
    SqlNode result = comparisons.getFirst();
    for (SqlNode next : comparisons.subList(1, comparisons.size())) {
      result =
          (patterns.getOperator().getName().equals("ALL")
                  ? SqlStdOperatorTable.AND
                  : SqlStdOperatorTable.OR)
              .createCall(call.getParserPosition(), result, next);
    }
    return result;
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    writer.keyword(getName());
    Writing.parenthesized(writer, call.getOperandList());
  }
}
