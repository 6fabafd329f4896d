package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * Records the locks that a subquery with {@code FOR UPDATE} or {@code FOR SHARE} requests. They are
 * stored as a hint on each table in its FROM, so that the table's scan has the hint when the
 * statement is a relational tree.
 */
public final class SubQueryLocks {
  /**
   * Name of the hint. Its options are: the {@link #place} of the query; whether that query has
   * subqueries of its own (TRUE or FALSE); and, if the rows of this table are locked, its {@link
   * #place}, a {@link LockStrength} and a {@link LockWait}.
   */
  public static final String HINT = "ROWS LOCKED";

  private SubQueryLocks() {}

  /** Returns a subquery with hints on the tables whose rows are locked. */
  public static SqlNode mark(LockingQuery locking) {
    Marker marker = new Marker(locking);
    SqlNode marked = marker.query(locking.query());
    marker.checkNames();
    return marked;
  }

  /** Returns true if an item of FROM is a table whose rows are locked. */
  public static boolean isLocked(SqlNode from) {
    return from instanceof SqlTableRef table
        && table.hints.stream()
            .map(SqlHint.class::cast)
            .anyMatch(hint -> hint.getName().equals(HINT) && hint.getOptionList().size() > 2);
  }

  /** Returns the position of a node in the text, which identifies it. */
  public static String place(SqlNode node) {
    SqlParserPos pos = node.getParserPosition();
    return pos.getLineNum() + ":" + pos.getColumnNum();
  }

  /** Rejects a query that contains such a subquery, which views must not. */
  public static void refuseIn(SqlNode query) {
    query.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (isLocked(call)) {
              throw SqlSyntaxException.at(
                  call.getParserPosition(),
                  "a view locks no rows; write FOR UPDATE or FOR SHARE behind the query that reads"
                      + " it");
            }
            return super.visit(call);
          }
        });
  }

  private static final class Marker {
    private final LockingQuery locking;

    /** Empty for all tables. */
    private final Set<String> wanted = new HashSet<>();

    private final Set<String> found = new HashSet<>();

    private boolean reads;

    Marker(LockingQuery locking) {
      this.locking = locking;
      locking.tables().forEach(table -> wanted.add(last(table)));
    }

    private static String last(SqlNode name) {
      return ((SqlIdentifier) name).names.getLast();
    }

    void checkNames() {
      for (SqlNode table : locking.tables()) {
        if (!found.contains(last(table))) {
          throw SqlSyntaxException.at(
              table.getParserPosition(),
              "Table '" + table + "' of OF not found in FROM; write it as in FROM");
        }
      }
    }

    SqlNode query(SqlNode query) {
      return query(query, true);
    }

    /**
     * Adds the hint to a query.
     *
     * @param isNamed whether OF can name its tables
     */
    private SqlNode query(SqlNode query, boolean isNamed) {
      return switch (query) {
        case SqlOrderBy order ->
            new SqlOrderBy(
                order.getParserPosition(),
                query(order.query, isNamed),
                order.orderList,
                order.offset,
                order.fetch);
        case SqlWith with -> {
          with.body = query(with.body, isNamed);
          yield with;
        }
        case SqlSelect select -> {
          reads |= hasQuery(select.getWhere()) || hasQuery(select.getSelectList());
          if (select.getFrom() != null) {
            select.setFrom(from(select.getFrom(), null, isNamed));
          }
          yield select;
        }
        case SqlCall call when SqlKind.SET_QUERY.contains(call.getKind()) -> {
          for (int i = 0; i < call.operandCount(); i++) {
            call.setOperand(i, query(call.operand(i), isNamed));
          }
          yield call;
        }
        default -> query;
      };
    }

    private static boolean hasQuery(SqlNode node) {
      boolean[] found = {false};
      if (node != null) {
        node.accept(
            new SqlBasicVisitor<Void>() {
              @Override
              public Void visit(SqlCall call) {
                found[0] |= call.getKind().belongsTo(SqlKind.QUERY);
                return super.visit(call);
              }
            });
      }
      return found[0];
    }

    private SqlNode from(SqlNode from, String alias, boolean isNamed) {
      return switch (from) {
        case SqlJoin join -> {
          join.setLeft(from(join.getLeft(), null, isNamed));
          join.setRight(from(join.getRight(), null, isNamed));
          yield join;
        }
        case SqlIdentifier table -> hinted(table, isNamed && isWanted(alias, table));
        case SqlCall call when call.getKind() == SqlKind.AS -> {
          call.setOperand(0, from(call.operand(0), last(call.operand(1)), isNamed));
          yield call;
        }
        default -> query(from, isNamed && wanted.isEmpty());
      };
    }

    private boolean isWanted(String alias, SqlIdentifier table) {
      String name = alias == null ? last(table) : alias;
      found.add(name);
      return wanted.isEmpty() || wanted.contains(name);
    }

    private SqlNode hinted(SqlIdentifier table, boolean isLocked) {
      SqlParserPos pos = table.getParserPosition();
      List<String> options = new ArrayList<>();
      options.add(place(locking));
      options.add(String.valueOf(reads).toUpperCase(Locale.ROOT));
      if (isLocked) {
        options.add(place(table));
        options.add(locking.strength().name());
        options.add(locking.lockWait().name());
      }
      List<SqlNode> names = new ArrayList<>();
      options.forEach(option -> names.add(new SqlIdentifier(option, pos)));
      SqlHint hint =
          new SqlHint(
              pos,
              new SqlIdentifier(HINT, pos),
              new SqlNodeList(names, pos),
              SqlHint.HintOptionFormat.ID_LIST);
      return new SqlTableRef(pos, table, SqlNodeList.of(hint));
    }
  }
}
