package org.nelumbo.planner.frontend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.nelumbo.parser.ast.CopyingShuttle;

/**
 * Gives names that JOIN ... USING or NATURAL JOIN has merged the column that they mean: that of the
 * left table, of a RIGHT JOIN that of the right one, of a FULL JOIN whichever is not NULL. Calcite
 * takes them for ambiguous in WHERE, and for different ones in GROUP BY and beside it. To be done
 * before a statement is validated.
 */
final class MergedColumns extends SqlBasicVisitor<Void> {
  private final CalciteCatalogReader reader;

  private MergedColumns(CalciteCatalogReader reader) {
    this.reader = reader;
  }

  static void qualify(SqlNode statement, CalciteCatalogReader reader) {
    statement.accept(new MergedColumns(reader));
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlSelect select && select.getFrom() instanceof SqlJoin join) {
      Map<String, SqlNode> merged = new HashMap<>();
      collect(join, merged);
      if (!merged.isEmpty()) {
        qualify(select, new Qualifier(merged));
      }
    }
    return super.visit(call);
  }

  private static void qualify(SqlSelect select, Qualifier qualifier) {
    SqlNodeList items = select.getSelectList();
    for (int i = 0; i < items.size(); i++) {
      SqlNode item = items.get(i);
      SqlNode meant = item.accept(qualifier);
      boolean loses = item instanceof SqlIdentifier && !(meant instanceof SqlIdentifier);
      items.set(
          i,
          loses ? SqlStdOperatorTable.AS.createCall(item.getParserPosition(), meant, item) : meant);
    }
    if (select.getWhere() != null) {
      select.setWhere(select.getWhere().accept(qualifier));
    }
    if (select.getGroup() != null) {
      select.setGroupBy((SqlNodeList) select.getGroup().accept(qualifier));
    }
    if (select.getHaving() != null) {
      select.setHaving(select.getHaving().accept(qualifier));
    }
  }

  private void collect(SqlNode from, Map<String, SqlNode> merged) {
    if (!(from instanceof SqlJoin join)) {
      return;
    }
    collect(join.getLeft(), merged);
    for (String name : names(join)) {
      SqlNode left = merged.getOrDefault(name, column(join.getLeft(), name));
      SqlNode right = column(join.getRight(), name);
      SqlNode meant =
          switch (join.getJoinType()) {
            case RIGHT -> right;
            case FULL ->
                left == null || right == null
                    ? null
                    : CoalesceFunction.INSTANCE.createCall(join.getParserPosition(), left, right);
            default -> left;
          };
      if (meant != null) {
        merged.put(name, meant);
      }
    }
  }

  /** The names that a join merges, as far as they are known here. */
  private List<String> names(SqlJoin join) {
    List<String> names = new ArrayList<>();
    if (join.getConditionType() == JoinConditionType.USING) {
      for (SqlNode name : (SqlNodeList) join.getCondition()) {
        names.add(((SqlIdentifier) name).getSimple());
      }
    } else if (join.isNatural()) {
      names.addAll(columns(join.getLeft()));
      names.retainAll(columns(join.getRight()));
    }
    return names;
  }

  /** The columns of a table, or of a join of tables. */
  private List<String> columns(SqlNode from) {
    if (from instanceof SqlJoin join) {
      List<String> columns = new ArrayList<>(columns(join.getLeft()));
      columns.addAll(columns(join.getRight()));
      return columns;
    }
    SqlNode named = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(0) : from;
    PreparingTable table = named instanceof SqlIdentifier name ? reader.getTable(name.names) : null;
    return table == null ? List.of() : table.getRowType().getFieldNames();
  }

  /** A column of a table with the name of that before it; null if it is not known which. */
  private SqlNode column(SqlNode from, String name) {
    if (from instanceof SqlJoin join) {
      boolean isLeft = columns(join.getLeft()).contains(name);
      boolean isRight = columns(join.getRight()).contains(name);
      return isLeft == isRight ? null : column(isLeft ? join.getLeft() : join.getRight(), name);
    }
    SqlNode named = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(1) : from;
    return named instanceof SqlIdentifier table
        ? new SqlIdentifier(List.of(table.names.getLast(), name), from.getParserPosition())
        : null;
  }

  /** Replaces names, but not in queries, whose own tables may have such columns. */
  private static final class Qualifier extends SqlShuttle {
    private final Map<String, SqlNode> merged;

    Qualifier(Map<String, SqlNode> merged) {
      this.merged = merged;
    }

    @Override
    public SqlNode visit(SqlCall call) {
      if (call.isA(SqlKind.QUERY)) {
        return call;
      } else if (call.getKind() == SqlKind.AS) {
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        operands.set(0, operands.getFirst().accept(this));
        return call.getOperator().createCall(call.getParserPosition(), operands);
      }
      return super.visit(call);
    }

    @Override
    public SqlNode visit(SqlIdentifier name) {
      SqlNode meant = name.isSimple() ? merged.get(name.getSimple()) : null;
      return meant == null ? name : meant.accept(new CopyingShuttle());
    }
  }
}
