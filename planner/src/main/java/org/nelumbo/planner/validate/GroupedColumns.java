package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.Litmus;
import org.nelumbo.planner.schema.CatalogTable;

/**
 * Completes queries that PostgreSQL and MySQL allow beyond the standard:
 *
 * <ul>
 *   <li>If a primary key is grouped by, the other columns of its table depend on it and are added
 *       to GROUP BY.
 *   <li>ORDER BY may name a column that is in the result twice, or rows of columns.
 * </ul>
 *
 * <p>A query whose columns are not known at this point is not changed.
 */
final class GroupedColumns extends SqlBasicVisitor<Void> {
  private final CalciteCatalogReader reader;

  /** Names of queries of WITH, which may hide tables. */
  private final Set<String> queries = new HashSet<>();

  GroupedColumns(CalciteCatalogReader reader) {
    this.reader = reader;
  }

  /** Completes ORDER BY in a statement before it is validated. */
  void prepare(SqlNode statement) {
    statement.accept(this);
  }

  /** Completes GROUP BY of a query whose tables are resolved. */
  void complete(SqlSelect select) {
    group(select, select.getOrderList() == null ? SqlNodeList.EMPTY : select.getOrderList());
  }

  @Override
  public Void visit(SqlCall call) {
    if (call instanceof SqlOrderBy ordered) {
      spreadRows(ordered.orderList);
      if (ordered.query instanceof SqlSelect select) {
        order(select, ordered.orderList);
      }
    } else if (call instanceof SqlWithItem item) {
      queries.add(item.name.getSimple());
    }
    return super.visit(call);
  }

  /** Expands {@code ORDER BY (a, b) DESC} into {@code ORDER BY a DESC, b DESC}. */
  private static void spreadRows(SqlNodeList order) {
    for (int i = order.size() - 1; i >= 0; i--) {
      List<SqlCall> suffixes = new ArrayList<>();
      SqlNode item = order.get(i);
      while (item.getKind() == SqlKind.DESCENDING
          || item.getKind() == SqlKind.NULLS_FIRST
          || item.getKind() == SqlKind.NULLS_LAST) {
        suffixes.addFirst((SqlCall) item);
        item = suffixes.getFirst().operand(0);
      }
      if (item instanceof SqlCall row && row.getOperator().isName("ROW", false)) {
        order.remove(i);
        for (SqlNode value : row.getOperandList().reversed()) {
          SqlNode each = value;
          for (SqlCall suffix : suffixes) {
            each = suffix.getOperator().createCall(suffix.getParserPosition(), each);
          }
          order.add(i, each);
        }
      }
    }
  }

  private void order(SqlSelect select, SqlNodeList order) {
    boolean hasStar = select.getSelectList().stream().anyMatch(GroupedColumns::isStar);
    for (int i = 0; hasStar && i < order.size(); i++) {
      SqlNode item = order.get(i);
      boolean descending = item.getKind() == SqlKind.DESCENDING;
      SqlNode name = descending ? ((SqlCall) item).operand(0) : item;
      SqlNode written = qualified(select, name);
      if (written != null) {
        SqlNode copy = written.clone(name.getParserPosition());
        if (descending) {
          ((SqlCall) item).setOperand(0, copy);
        } else {
          order.set(i, copy);
        }
      }
    }
  }

  private static SqlNode qualified(SqlSelect select, SqlNode name) {
    if (!(name instanceof SqlIdentifier simple) || !simple.isSimple()) {
      return null;
    }
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier column
          && !column.isStar()
          && column.names.size() > 1
          && column.names.getLast().equals(simple.getSimple())) {
        return column;
      }
    }
    return null;
  }

  private static boolean isStar(SqlNode item) {
    return item instanceof SqlIdentifier name && name.isStar();
  }

  private void group(SqlSelect select, SqlNodeList order) {
    if (select.getGroup() == null || select.getFrom() == null) {
      return;
    }
    Map<String, PreparingTable> tables = new LinkedHashMap<>();
    if (collect(select.getFrom(), tables)) {
      tables.forEach((alias, table) -> addDependent(select, order, alias, table, tables));
    }
  }

  private boolean collect(SqlNode from, Map<String, PreparingTable> tables) {
    return switch (from) {
      case SqlJoin join -> collect(join.getLeft(), tables) && collect(join.getRight(), tables);
      case SqlIdentifier name -> add(name, name.names.getLast(), tables);
      case SqlCall call
          when call.getKind() == SqlKind.AS
              && call.operandCount() == 2
              && table(call.operand(0)) instanceof SqlIdentifier name ->
          add(name, ((SqlIdentifier) call.operand(1)).getSimple(), tables);
      case SqlCall call when call.getKind() == SqlKind.TABLE_REF ->
          collect(call.operand(0), tables);
      default -> false;
    };
  }

  private static SqlNode table(SqlNode node) {
    return node.getKind() == SqlKind.TABLE_REF ? ((SqlCall) node).operand(0) : node;
  }

  private boolean add(SqlIdentifier name, String alias, Map<String, PreparingTable> tables) {
    if (name.isSimple() && queries.contains(name.getSimple())) {
      return false;
    }
    PreparingTable table = reader.getTable(name.names);
    return table != null && tables.put(alias, table) == null;
  }

  private static SqlNode meant(SqlSelect select, SqlNode grouped) {
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS
          && ((SqlCall) item).operand(1).equalsDeep(grouped, Litmus.IGNORE)) {
        return ((SqlCall) item).operand(0);
      }
    }
    return grouped;
  }

  private static void addDependent(
      SqlSelect select,
      SqlNodeList order,
      String alias,
      PreparingTable table,
      Map<String, PreparingTable> tables) {
    List<String> names = table.getRowType().getFieldNames();
    Set<String> grouped = new HashSet<>();
    for (SqlNode item : select.getGroup()) {
      boolean isColumn = item instanceof SqlIdentifier name && isOfAny(name, tables);
      if ((isColumn ? item : meant(select, item)) instanceof SqlIdentifier column
          && isOf(column, alias, names, tables)) {
        grouped.add(column.names.getLast());
      }
    }
    CatalogTable known = table.unwrap(CatalogTable.class);
    List<ImmutableBitSet> keys = known == null ? null : known.getStatistic().getKeys();
    boolean isKey =
        !grouped.isEmpty()
            && keys != null
            && keys.stream()
                .anyMatch(
                    key -> key.asList().stream().allMatch(i -> grouped.contains(names.get(i))));
    if (!isKey) {
      return;
    }
    List<SqlNode> parts = new ArrayList<>(select.getSelectList());
    parts.addAll(order);
    if (select.getHaving() != null) {
      parts.add(select.getHaving());
    }
    Set<String> wanted = new LinkedHashSet<>();
    for (SqlNode part : parts) {
      if (isStar(part)) {
        SqlIdentifier star = (SqlIdentifier) part;
        boolean all = star.names.size() == 1 || star.names.getFirst().equals(alias);
        wanted.addAll(all ? names : List.of());
      } else {
        part.accept(
            new ReadColumns(
                column -> {
                  if (isOf(column, alias, names, tables)) {
                    wanted.add(column.names.getLast());
                  }
                }));
      }
    }
    wanted.removeAll(grouped);
    for (String name : wanted) {
      select.getGroup().add(new SqlIdentifier(List.of(alias, name), SqlParserPos.ZERO));
    }
  }

  private static boolean isOfAny(SqlIdentifier column, Map<String, PreparingTable> tables) {
    return tables.entrySet().stream()
        .anyMatch(
            each ->
                isOf(column, each.getKey(), each.getValue().getRowType().getFieldNames(), tables));
  }

  private static boolean isOf(
      SqlIdentifier column, String alias, List<String> names, Map<String, PreparingTable> tables) {
    if (column.names.size() == 2) {
      return column.names.getFirst().equals(alias) && names.contains(column.names.getLast());
    }
    return column.isSimple()
        && names.contains(column.getSimple())
        && tables.values().stream()
                .filter(each -> each.getRowType().getFieldNames().contains(column.getSimple()))
                .count()
            == 1;
  }

  /**
   * Visits the columns in an expression, except those that are only arguments of aggregate
   * functions.
   */
  private static final class ReadColumns extends SqlBasicVisitor<Void> {
    private final Consumer<SqlIdentifier> receiver;

    /** Set within windows and queries, whose aggregate functions read rows of groups. */
    private boolean readsAll;

    ReadColumns(Consumer<SqlIdentifier> receiver) {
      this.receiver = receiver;
    }

    @Override
    public Void visit(SqlCall call) {
      if (!readsAll && call.getOperator().isAggregator()) {
        return null;
      } else if (call.getKind() == SqlKind.AS) {
        return call.operand(0).accept(this);
      }
      boolean outer = readsAll;
      readsAll |= call.getKind() == SqlKind.OVER || call.isA(SqlKind.QUERY);
      super.visit(call);
      readsAll = outer;
      return null;
    }

    @Override
    public Void visit(SqlIdentifier column) {
      if (!column.isStar()) {
        receiver.accept(column);
      }
      return null;
    }
  }
}
