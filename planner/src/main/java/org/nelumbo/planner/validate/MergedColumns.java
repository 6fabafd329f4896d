package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.JoinScope;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.planner.function.CoalesceFunction;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Resolves the columns that JOIN ... USING and NATURAL JOIN merge. Calcite compares the column of
 * the first table only, even after an outer join that may pad that table with NULLs, and reports
 * merged names as ambiguous in most clauses. So these joins become joins with ON, and merged names
 * are replaced by the expressions for which they stand. This is the column of the left side, for a
 * RIGHT JOIN the column of the right side, and for a FULL JOIN the one that is not NULL.
 *
 * <p>This happens during validation, when the columns of FROM are known.
 */
final class MergedColumns {
  private final NelumboValidator validator;

  /** Columns that queries and join conditions may refer to by name. */
  private final IdentityHashMap<SqlNode, List<Column>> visible = new IdentityHashMap<>();

  private final IdentityHashMap<SqlJoin, List<Column>> joined = new IdentityHashMap<>();

  private boolean anyMerged;

  private record Column(String name, SqlNode meaning, boolean merged) {
    SqlNode copy() {
      return meaning.accept(new CopyingShuttle());
    }
  }

  MergedColumns(NelumboValidator validator) {
    this.validator = validator;
  }

  /** Returns true if a join has been processed. */
  boolean isDone(SqlJoin join) {
    return joined.containsKey(join);
  }

  /**
   * Records the columns of the left side of a join, which has been validated, so that LATERAL can
   * refer to them.
   */
  void noteLeft(SqlJoin join, SqlValidatorScope scope) {
    SqlValidatorScope query = scope;
    while (query instanceof JoinScope inner) {
      query = inner.getUsingScope();
    }
    if (query != null) {
      visible.put(query.getNode(), columns(join.getLeft()));
    }
  }

  /** Turns a join whose sides have both been validated into a join with ON. */
  void merge(SqlJoin join, SqlValidatorScope scope) {
    List<Column> left = columns(join.getLeft());
    List<Column> right = columns(join.getRight());
    List<Column> both = new ArrayList<>(left);
    both.addAll(right);
    visible.put(join, both);
    boolean using = join.getConditionType() == JoinConditionType.USING;
    if (using || join.isNatural() && join.getCondition() == null) {
      anyMerged = true;
      joined.put(join, merged(join, using ? names(join) : common(join, left, right), left, right));
      return;
    }
    joined.put(join, both);
    if (anyMerged && join.getConditionType() == JoinConditionType.ON) {
      join.setOperand(5, join.getCondition().accept(new Replacement(join, scope)));
    }
  }

  private static Map<String, SqlParserPos> names(SqlJoin join) {
    Map<String, SqlParserPos> names = new LinkedHashMap<>();
    for (SqlNode each : (SqlNodeList) join.getCondition()) {
      String name = ((SqlIdentifier) each).getSimple();
      if (names.putIfAbsent(name, each.getParserPosition()) != null) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "USING names column " + name + " twice",
            each.getParserPosition());
      }
    }
    return names;
  }

  private static Map<String, SqlParserPos> common(
      SqlJoin join, List<Column> left, List<Column> right) {
    Set<String> rightNames = new HashSet<>();
    right.forEach(column -> rightNames.add(column.name));
    Map<String, SqlParserPos> names = new LinkedHashMap<>();
    for (Column column : left) {
      if (rightNames.contains(column.name)) {
        names.put(column.name, join.isNaturalNode().getParserPosition());
      }
    }
    return names;
  }

  /** Sets the condition of a join and returns its columns: the merged ones come first. */
  private static List<Column> merged(
      SqlJoin join, Map<String, SqlParserPos> names, List<Column> left, List<Column> right) {
    List<Column> columns = new ArrayList<>();
    SqlNode condition = null;
    for (Map.Entry<String, SqlParserPos> each : names.entrySet()) {
      String name = each.getKey();
      SqlParserPos place = each.getValue();
      Column ofLeft = only(left, name, "left", place);
      Column ofRight = only(right, name, "right", place);
      SqlNode equal = SqlStdOperatorTable.EQUALS.createCall(place, ofLeft.copy(), ofRight.copy());
      condition =
          condition == null ? equal : SqlStdOperatorTable.AND.createCall(place, condition, equal);
      SqlNode meaning =
          switch (join.getJoinType()) {
            case RIGHT -> ofRight.meaning;
            case FULL -> CoalesceFunction.INSTANCE.createCall(place, ofLeft.copy(), ofRight.copy());
            default -> ofLeft.meaning;
          };
      columns.add(new Column(name, meaning, true));
    }
    left.stream().filter(column -> !names.containsKey(column.name)).forEach(columns::add);
    right.stream().filter(column -> !names.containsKey(column.name)).forEach(columns::add);
    SqlParserPos place = join.getConditionTypeNode().getParserPosition();
    join.setOperand(1, SqlLiteral.createBoolean(false, place));
    join.setOperand(4, JoinConditionType.ON.symbol(place));
    join.setOperand(5, condition == null ? SqlLiteral.createBoolean(true, place) : condition);
    return columns;
  }

  private static Column only(List<Column> columns, String name, String side, SqlParserPos place) {
    Column found = null;
    for (Column column : columns) {
      if (column.name.equals(name)) {
        if (found != null) {
          throw SqlErrors.at(
              ErrorCode.INVALID_STATEMENT,
              "column "
                  + name
                  + " to join on is in more than one table on the "
                  + side
                  + " side; write ON with table.column",
              place);
        }
        found = column;
      }
    }
    if (found == null) {
      throw SqlErrors.at(
          ErrorCode.NO_SUCH_COLUMN,
          "there is no column " + name + " to join on on the " + side + " side",
          place);
    }
    return found;
  }

  /** Returns the columns of an item in FROM, in the order of {@code *}. */
  private List<Column> columns(SqlNode from) {
    if (from instanceof SqlJoin join) {
      return joined.getOrDefault(join, List.of());
    }
    String alias = alias(from);
    List<Column> columns = new ArrayList<>();
    for (String name : validator.getNamespace(from).getRowType().getFieldNames()) {
      SqlNode meaning = new SqlIdentifier(List.of(alias, name), from.getParserPosition());
      columns.add(new Column(name, meaning, false));
    }
    return columns;
  }

  private static String alias(SqlNode from) {
    return switch (from) {
      case SqlIdentifier table -> table.names.getLast();
      case SqlCall call when call.getKind() == SqlKind.AS -> alias(call.operand(1));
      case SqlCall call -> alias(call.operand(0));
      default -> throw new IllegalArgumentException("from=" + from);
    };
  }

  /** Replaces names of merged columns in the clauses of a query whose FROM has been validated. */
  void replaceIn(SqlSelect select, SqlValidatorScope scope) {
    if (!anyMerged) {
      return;
    }
    SqlNode from = select.getFrom();
    visible.put(select, from == null ? List.of() : columns(from));
    Replacement replacement = new Replacement(select, scope);
    replaceItems(select, replacement);
    if (select.getWhere() != null) {
      select.setWhere(select.getWhere().accept(replacement));
    }
    if (select.getGroup() != null) {
      select.setGroupBy((SqlNodeList) select.getGroup().accept(replacement));
    }
    if (select.getHaving() != null) {
      select.setHaving(select.getHaving().accept(replacement));
    }
    if (select.getOrderList() != null) {
      Replacement inOrder = new Replacement(select, scope);
      select.getSelectList().forEach(item -> inOrder.own.add(name(item)));
      select.setOrderBy((SqlNodeList) select.getOrderList().accept(inOrder));
    }
  }

  /** The validator already refers to this list, so it is changed in place. */
  private void replaceItems(SqlSelect select, Replacement replacement) {
    List<SqlNode> items = select.getSelectList();
    for (int i = items.size() - 1; i >= 0; i--) {
      SqlNode item = items.get(i);
      boolean all = item instanceof SqlIdentifier name && name.isStar() && name.names.size() == 1;
      if (all && visible.get(select).stream().anyMatch(Column::merged)) {
        items.remove(i);
        for (Column column : visible.get(select).reversed()) {
          items.add(i, named(column.copy(), column.name));
        }
      } else {
        SqlNode meant = item.accept(replacement);
        items.set(
            i, item instanceof SqlIdentifier name ? named(meant, name.names.getLast()) : meant);
      }
    }
  }

  private static SqlNode named(SqlNode meaning, String name) {
    SqlParserPos place = meaning.getParserPosition();
    return meaning instanceof SqlIdentifier
        ? meaning
        : SqlStdOperatorTable.AS.createCall(place, meaning, new SqlIdentifier(name, place));
  }

  private static String name(SqlNode item) {
    return switch (item) {
      case SqlIdentifier column -> column.names.getLast();
      case SqlCall call when call.getKind() == SqlKind.AS -> name(call.operand(1));
      default -> null;
    };
  }

  private SqlNode meaning(String name, SqlNode place, SqlValidatorScope scope) {
    SqlNode node = place;
    SqlValidatorScope within = scope;
    while (within instanceof DelegatingScope inner) {
      List<Column> columns = visible.getOrDefault(node, List.of());
      List<Column> found = columns.stream().filter(each -> each.name.equals(name)).toList();
      if (!found.isEmpty()) {
        return found.size() == 1 && found.getFirst().merged ? found.getFirst().copy() : null;
      }
      within = inner.getParent();
      node = within instanceof DelegatingScope ? within.getNode() : null;
    }
    return null;
  }

  /** Replaces names outside of nested queries, which are processed when they are validated. */
  private final class Replacement extends SqlShuttle {
    private final SqlNode place;
    private final SqlValidatorScope scope;

    /** Names that have another meaning in this clause. */
    private final Set<String> own = new HashSet<>();

    Replacement(SqlNode place, SqlValidatorScope scope) {
      this.place = place;
      this.scope = scope;
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
      if (!name.isSimple() || own.contains(name.getSimple())) {
        return name;
      }
      SqlNode meaning = meaning(name.getSimple(), place, scope);
      return meaning == null ? name : meaning;
    }
  }
}
