package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.planner.function.NelumboOperators;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Handles aggregate functions in subqueries that belong to an outer query because they read only
 * its columns: {@code SELECT (SELECT SUM(t.a)) FROM t} returns one row. Calcite would assign them
 * to the subquery.
 *
 * <p>The outer query is split in two. The inner half groups and computes all aggregate functions.
 * The outer half above it contains the results, HAVING as WHERE, and the subqueries.
 *
 * <p>A subquery that groups and has columns of an outer query next to its functions is split, too:
 * Calcite would report these columns as not grouped.
 *
 * <p>This runs before a statement is validated.
 */
final class OuterAggregates extends SqlBasicVisitor<Void> {
  private static final String GROUPED = "$GROUPED";

  /** Loaded with the first call of a function in a query. */
  private static final class Aggregates {
    static final Set<String> NAMES =
        NelumboOperators.TABLE.getOperatorList().stream()
            .filter(operator -> operator.isAggregator() && !operator.requiresOver())
            .map(operator -> operator.getName().toUpperCase(Locale.ROOT))
            .collect(Collectors.toCollection(HashSet::new));

    static {
      NAMES.addAll(
          Set.of(
              "GROUP_CONCAT",
              "MEDIAN",
              "BOOL_AND",
              "BOOL_OR",
              "EVERY",
              "LOGICAL_AND",
              "LOGICAL_OR",
              "STRING_AGG"));
    }
  }

  private final QueryColumns columns;
  private final IdentityHashMap<SqlSelect, SqlNodeList> orders = new IdentityHashMap<>();

  private final List<Query> around = new ArrayList<>();

  private int count;

  private OuterAggregates(CalciteCatalogReader reader) {
    this.columns = new QueryColumns(reader);
  }

  /** Splits the queries of a statement whose subqueries contain their aggregate functions. */
  static void split(SqlNode statement, CalciteCatalogReader reader) {
    if (hasFunctionsAndQueries(statement)) {
      statement.accept(new OuterAggregates(reader));
    }
  }

  /** Few statements pass this test. */
  private static boolean hasFunctionsAndQueries(SqlNode statement) {
    int[] found = new int[2];
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            found[0] += isAggregate(call) ? 1 : 0;
            found[1] += call instanceof SqlSelect || call.isA(SqlKind.DML) ? 1 : 0;
            return super.visit(call);
          }
        });
    return found[0] > 0 && found[1] > 1;
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlWithItem item) {
      columns.note(item);
    } else if (call instanceof SqlOrderBy ordered) {
      SqlNode query = ordered.query;
      while (query instanceof SqlWith with) {
        query = with.body;
      }
      if (query instanceof SqlSelect select) {
        orders.put(select, ordered.orderList);
      }
    } else if (call instanceof SqlUpdate update) {
      Search search =
          new Search(new Query(columns.of(target(update.getTargetTable(), update.getAlias()))));
      search.forbidIn("in UPDATE", update.getSourceExpressionList());
      search.forbidIn("in UPDATE", update.getCondition());
    } else if (call instanceof SqlDelete delete) {
      Search search =
          new Search(new Query(columns.of(target(delete.getTargetTable(), delete.getAlias()))));
      search.forbidIn("in DELETE", delete.getCondition());
    } else if (call instanceof SqlSelect select) {
      splitIfNeeded(select);
      around.add(new Query(columns.of(select.getFrom())));
      super.visit(call);
      around.removeLast();
      return null;
    }
    return super.visit(call);
  }

  private static SqlNode target(SqlNode table, SqlNode aliasOrNull) {
    return aliasOrNull == null
        ? table
        : SqlStdOperatorTable.AS.createCall(SqlParserPos.ZERO, table, aliasOrNull);
  }

  private void splitIfNeeded(SqlSelect select) {
    if (select.getFrom() != null) {
      SqlNodeList order = orders.getOrDefault(select, SqlNodeList.EMPTY);
      Query query = new Query(columns.of(select.getFrom()));
      if (new Search(query).isIn(select, order)) {
        new Split(select, query, order, GROUPED + count++).run();
      }
    }
  }

  private static boolean isAggregate(SqlCall call) {
    return switch (call.getKind()) {
      case FILTER, WITHIN_GROUP -> true;
      default ->
          call.getOperator().isAggregator()
              || call.getOperator() instanceof SqlUnresolvedFunction function
                  && Aggregates.NAMES.contains(function.getName().toUpperCase(Locale.ROOT));
    };
  }

  private record Query(Map<String, Set<String>> tables) {
    /** Returns true if a name is, or may be, that of a column. */
    boolean has(SqlIdentifier name) {
      if (name.isStar()) {
        return false;
      } else if (!name.isSimple()) {
        return tables.containsKey(name.names.get(name.names.size() - 2));
      }
      return tables.values().stream()
          .anyMatch(columns -> columns == null || columns.contains(name.getSimple()));
    }
  }

  private abstract class Walk extends SqlShuttle {
    final Query outer;

    /** The subqueries around the current position. */
    final List<Query> inner = new ArrayList<>();

    Walk(Query outer) {
      this.outer = outer;
    }

    @Override
    public SqlNode visit(SqlNodeList list) {
      for (int i = 0; i < list.size(); i++) {
        SqlNode each = list.get(i);
        SqlNode changed = each == null ? null : each.accept(this);
        if (changed != each) {
          list.set(i, changed);
        }
      }
      return list;
    }

    @Override
    public SqlNode visit(SqlCall call) {
      switch (call) {
        case SqlSelect select -> walkQuery(select);
        case SqlOrderBy ordered -> {
          ordered.query.accept(this);
          if (ordered.query instanceof SqlSelect select) {
            inner.add(withResults(select));
            ordered.orderList.accept(this);
            inner.removeLast();
          }
        }
        case SqlWithItem item -> {
          columns.note(item);
          item.query.accept(this);
        }
        case SqlCall as when as.getKind() == SqlKind.AS -> walkOperand(as, 0);
        case SqlCall over when over.getKind() == SqlKind.OVER -> {
          walkFunction(over.operand(0));
          if (!(over.operand(1) instanceof SqlIdentifier)) {
            walkOperand(over, 1);
          }
        }
        case SqlCall function when isAggregate(function) -> {
          if (belongsToOuter(function)) {
            return aggregate(function);
          }
          walkFunction(function);
        }
        default -> walkOperands(call);
      }
      return call;
    }

    private void walkQuery(SqlSelect select) {
      inner.add(new Query(columns.of(select.getFrom())));
      select.getSelectList().accept(this);
      walkFrom(select.getFrom());
      for (int operand : List.of(3, 4, 5, 6, 7, 8)) { // WHERE to ORDER BY
        walkOperand(select, operand);
      }
      inner.removeLast();
    }

    private void walkFrom(SqlNode from) {
      switch (from) {
        case SqlJoin join -> {
          walkFrom(join.getLeft());
          walkFrom(join.getRight());
          if (join.getConditionType() == JoinConditionType.ON) {
            walkOperand(join, 5);
          }
        }
        case SqlCall call when call.isA(SqlKind.QUERY) -> call.accept(this);
        case SqlCall call when call.operandCount() > 0 -> walkFrom(call.operand(0));
        case null, default -> {}
      }
    }

    private void walkFunction(SqlCall function) {
      switch (function.getKind()) {
        case FILTER, WITHIN_GROUP, IGNORE_NULLS, RESPECT_NULLS -> {
          walkFunction(function.operand(0));
          for (int i = 1; i < function.operandCount(); i++) {
            walkOperand(function, i);
          }
        }
        default -> walkOperands(function);
      }
    }

    void walkOperands(SqlCall call) {
      for (int i = 0; i < call.operandCount(); i++) {
        walkOperand(call, i);
      }
    }

    private void walkOperand(SqlCall call, int index) {
      SqlNode operand = call.operand(index);
      SqlNode changed = operand == null ? null : operand.accept(this);
      if (changed != operand) {
        call.setOperand(index, changed);
      }
    }

    /** Processes a function of the outer query. */
    abstract SqlNode aggregate(SqlCall call);

    /** Returns true if a name is that of a column of the outer query. */
    boolean isOuter(SqlIdentifier name) {
      return !isInner(name) && outer.has(name);
    }

    private boolean isInner(SqlIdentifier name) {
      return inner.stream().anyMatch(query -> query.has(name));
    }

    private boolean belongsToOuter(SqlCall call) {
      if (inner.isEmpty()) {
        return true;
      }
      boolean[] found = new boolean[2];
      call.accept(
          new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier name) {
              found[0] |= isOuter(name);
              found[1] |= isInner(name);
              return null;
            }
          });
      return found[0] && !found[1];
    }
  }

  /** Returns the tables of a query with the names of its results, which ORDER BY may use. */
  private Query withResults(SqlSelect select) {
    Map<String, Set<String>> tables = new HashMap<>(columns.of(select.getFrom()));
    tables.put(GROUPED, results(select));
    return new Query(tables);
  }

  private static Set<String> results(SqlSelect select) {
    Set<String> names = new HashSet<>();
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS) {
        names.add(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
      }
    }
    return names;
  }

  private final class Search extends Walk {
    private boolean found;
    private boolean groups;
    private boolean readsOuterColumns;

    /** Clause in which aggregate functions are not allowed; null elsewhere. */
    private String forbidden;

    Search(Query outer) {
      super(outer);
    }

    boolean isIn(SqlSelect select, SqlNodeList order) {
      forbidIn("in WHERE", select.getWhere());
      forbidIn("in GROUP BY", select.getGroup());
      accept(select.getSelectList());
      accept(select.getHaving());
      accept(select.getWindowList());
      accept(order);
      groups |= select.getGroup() != null || select.getHaving() != null;
      return found || groups && readsOuterColumns;
    }

    /** Rejects aggregate functions of the query in a clause. */
    void forbidIn(String place, SqlNode clause) {
      forbidden = place;
      accept(clause);
      forbidden = null;
    }

    private void accept(SqlNode clause) {
      if (clause != null) {
        clause.accept(this);
      }
    }

    @Override
    SqlNode aggregate(SqlCall call) {
      if (inner.isEmpty()) {
        groups = true;
        String before = forbidden;
        forbidden = "within another aggregate function";
        walkOperands(call);
        forbidden = before;
        return call;
      }
      if (forbidden != null) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            DerivedColumnNames.text(call)
                + " reads columns of the outer query only, to which it belongs then; there can be"
                + " no aggregate function "
                + forbidden,
            call.getParserPosition());
      }
      found = true;
      return call;
    }

    @Override
    public SqlNode visit(SqlIdentifier name) {
      readsOuterColumns |=
          inner.isEmpty()
              && forbidden == null
              && !outer.has(name)
              && around.stream().anyMatch(query -> query.has(name));
      return name;
    }
  }

  private final class Split extends Walk {
    private final SqlSelect select;
    private final SqlNodeList order;
    private final SqlNodeList computed = new SqlNodeList(SqlParserPos.ZERO);
    private final List<SqlNode> keys = new ArrayList<>();
    private final String alias;
    private Set<String> results = Set.of();

    Split(SqlSelect select, Query outer, SqlNodeList order, String alias) {
      super(outer);
      this.alias = alias;
      this.select = select;
      this.order = order;
    }

    void run() {
      if (select.getGroup() != null) {
        select.setGroupBy((SqlNodeList) expressions(select.getGroup(), true));
      }
      splitItems();
      SqlNode having = select.getHaving() == null ? null : select.getHaving().accept(this);
      if (select.getWindowList() != null) {
        select.getWindowList().accept(this);
      }
      results = results(select);
      order.accept(this);
      SqlParserPos place = select.getParserPosition();
      SqlSelect grouped =
          new SqlSelect(
              place,
              null,
              computed,
              select.getFrom(),
              select.getWhere(),
              select.getGroup(),
              null,
              null,
              null,
              null,
              null,
              null,
              null);
      select.setFrom(
          SqlStdOperatorTable.AS.createCall(place, grouped, new SqlIdentifier(alias, place)));
      select.setWhere(having);
      select.setGroupBy(null);
      select.setHaving(null);
    }

    private void splitItems() {
      SqlNodeList items = select.getSelectList();
      for (int i = 0; i < items.size(); i++) {
        SqlNode item = items.get(i);
        if (item instanceof SqlIdentifier name && name.isStar()) {
          throw SqlErrors.at(
              ErrorCode.UNSUPPORTED,
              "a subquery has an aggregate function of this query; name the columns instead of *",
              item.getParserPosition());
        }
        SqlNode changed = item.accept(this);
        if (item instanceof SqlIdentifier name) {
          SqlParserPos place = item.getParserPosition();
          SqlIdentifier result = new SqlIdentifier(name.names.getLast(), place);
          changed = SqlStdOperatorTable.AS.createCall(place, changed, result);
        }
        items.set(i, changed);
      }
    }

    private SqlNode expressions(SqlNode grouped, boolean top) {
      switch (grouped) {
        case SqlNodeList list -> {
          for (int i = 0; i < list.size(); i++) {
            list.set(i, expressions(list.get(i), top));
          }
          return list;
        }
        case SqlCall call
            when call.getKind() == SqlKind.ROLLUP
                || call.getKind() == SqlKind.CUBE
                || call.getKind() == SqlKind.GROUPING_SETS
                || call.getKind() == SqlKind.ROW -> {
          for (int i = 0; i < call.operandCount(); i++) {
            call.setOperand(i, expressions(call.operand(i), false));
          }
          return call;
        }
        default -> {
          SqlNode key = top ? expression(grouped) : grouped;
          keys.add(key);
          return key;
        }
      }
    }

    private SqlNode expression(SqlNode grouped) {
      SqlNode meant = null;
      if (grouped instanceof SqlNumericLiteral number && number.isInteger()) {
        int place = number.intValue(true);
        meant =
            place >= 1 && place <= select.getSelectList().size()
                ? select.getSelectList().get(place - 1)
                : null;
      } else if (grouped instanceof SqlIdentifier name && name.isSimple() && !outer.has(name)) {
        for (SqlNode item : select.getSelectList()) {
          if (item.getKind() == SqlKind.AS
              && ((SqlCall) item).operand(1).equalsDeep(name, Litmus.IGNORE)) {
            meant = item;
          }
        }
      }
      if (meant == null) {
        return grouped;
      }
      SqlNode value = meant.getKind() == SqlKind.AS ? ((SqlCall) meant).operand(0) : meant;
      return value.accept(new CopyingShuttle());
    }

    @Override
    SqlNode aggregate(SqlCall call) {
      return computed(call);
    }

    private SqlNode computed(SqlNode value) {
      SqlParserPos place = value.getParserPosition();
      String name = "$" + computed.size();
      computed.add(SqlStdOperatorTable.AS.createCall(place, value, new SqlIdentifier(name, place)));
      return new SqlIdentifier(List.of(alias, name), place);
    }

    @Override
    public SqlNode visit(SqlCall call) {
      for (SqlNode key : keys) {
        if (key instanceof SqlCall && key.equalsDeep(call, Litmus.IGNORE) && isOuter(call)) {
          return computed(call);
        }
      }
      return super.visit(call);
    }

    private boolean isOuter(SqlCall call) {
      boolean[] outer = {true};
      call.accept(
          new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlIdentifier name) {
              outer[0] &= isOuter(name);
              return null;
            }
          });
      return outer[0];
    }

    @Override
    public SqlNode visit(SqlIdentifier name) {
      boolean isResult = inner.isEmpty() && name.isSimple() && results.contains(name.getSimple());
      return isResult || !isOuter(name) ? name : computed(name);
    }
  }
}
