package org.nelumbo.parser.ast;

import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/** Moves the queries of a WITH before a change of rows into each query of the change. */
public final class CommonQueries extends SqlShuttle {
  /** The operand of an INSERT that is the source of its rows. */
  private static final int SOURCE = 2;

  private final SqlNodeList queries;
  private final Set<String> names = new HashSet<>();

  private CommonQueries(SqlNodeList queries) {
    this.queries = queries;
    queries.forEach(query -> names.add(((SqlWithItem) query).name.getSimple()));
  }

  /** Returns an equivalent change without a WITH before it. */
  public static SqlNode of(SqlNodeList queries, SqlNode change) {
    return new CommonQueries(queries).before(change);
  }

  private SqlNode before(SqlNode change) {
    SqlParserPos pos = change.getParserPosition();
    return switch (change) {
      case Returning returning -> new Returning(pos, before(returning.change()), returning.items());
      case SqlInsert insert -> {
        insert.setOperand(SOURCE, rows(insert.getSource()));
        yield insert;
      }
      case InsertOnConflict insert ->
          new InsertOnConflict(
              pos,
              (SqlInsert) before(insert.insert()),
              insert.conflictColumns(),
              insert.conflictCondition(),
              insert.constraint(),
              insert.updateColumns(),
              (SqlNodeList) inside(insert.updateValues()),
              inside(insert.condition()));
      case Upsert upsert ->
          upsert.with((SqlInsert) before(upsert.insert()), (SqlNodeList) inside(upsert.values()));
      case SqlUpdate update ->
          new SqlUpdate(
              pos,
              update.getTargetTable(),
              update.getTargetColumnList(),
              (SqlNodeList) inside(update.getSourceExpressionList()),
              inside(update.getCondition()),
              null,
              update.getAlias());
      case SqlDelete delete ->
          new SqlDelete(
              pos, delete.getTargetTable(), inside(delete.getCondition()), null, delete.getAlias());
      case UpdateFrom update ->
          new UpdateFrom(
              pos,
              update.table(),
              update.alias(),
              update.columns(),
              (SqlNodeList) inside(update.values()),
              source(update.from()),
              inside(update.condition()));
      case DeleteUsing delete ->
          new DeleteUsing(
              pos,
              delete.table(),
              delete.alias(),
              source(delete.using()),
              inside(delete.condition()));
      case MergeInto merge ->
          new MergeInto(
              pos,
              merge.table(),
              merge.alias(),
              source(merge.source()),
              inside(merge.condition()),
              (SqlNodeList) inside(merge.clauses()));
      default -> change;
    };
  }

  private SqlNode inside(SqlNode node) {
    return node == null ? null : node.accept(this);
  }

  @Override
  public SqlNode visit(SqlCall call) {
    return call.isA(SqlKind.QUERY) ? with(call) : super.visit(call);
  }

  private SqlNode rows(SqlNode source) {
    return source.getKind() == SqlKind.VALUES ? super.visit((SqlCall) source) : with(source);
  }

  private SqlNode with(SqlNode query) {
    SqlParserPos pos = query.getParserPosition();
    return query instanceof SqlOrderBy order
        ? new SqlOrderBy(pos, with(order.query), order.orderList, order.offset, order.fetch)
        : new SqlWith(pos, (SqlNodeList) queries.accept(new CopyingShuttle()), query);
  }

  private SqlNode source(SqlNode node) {
    return switch (node) {
      case SqlIdentifier name when isCommon(name) -> named(all(name), name);
      case SqlJoin join -> {
        join.setLeft(source(join.getLeft()));
        join.setRight(source(join.getRight()));
        yield join;
      }
      case SqlCall call when call.getKind() == SqlKind.AS -> {
        SqlNode read = call.operand(0);
        call.setOperand(
            0, read instanceof SqlIdentifier name && isCommon(name) ? all(name) : inside(read));
        yield call;
      }
      default -> inside(node);
    };
  }

  private boolean isCommon(SqlIdentifier name) {
    return name.isSimple() && names.contains(name.getSimple());
  }

  private static SqlNode named(SqlNode query, SqlIdentifier name) {
    return SqlStdOperatorTable.AS.createCall(name.getParserPosition(), query, name);
  }

  private SqlNode all(SqlIdentifier name) {
    SqlParserPos pos = name.getParserPosition();
    SqlNodeList star = SqlNodeList.of(SqlIdentifier.star(pos));
    return with(
        new SqlSelect(pos, null, star, name, null, null, null, null, null, null, null, null, null));
  }
}
