package org.nelumbo.planner.frontend;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.parser.ast.CopyingShuttle;

/** Types of recursive queries: their columns have the types of their first parts. */
final class RecursiveQueries {
  private static final String ALIAS = "$FIRST";

  private final Function<SqlNode, RelDataType> types;

  /** Unions of a first part and a step, of which the step has the types of the first part. */
  private final Set<SqlNode> unions = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Types of the first parts, before anything was widened. */
  private final IdentityHashMap<SqlWithItem, RelDataType> firsts = new IdentityHashMap<>();

  private RecursiveQueries(Function<SqlNode, RelDataType> types) {
    this.types = types;
  }

  /**
   * Makes texts in the recursive queries of a statement as long as they become: what is appended
   * step by step would not fit into the first text. To be done before a statement is validated.
   *
   * @param types validates a query that may be changed, and tells its type
   */
  static RecursiveQueries widen(SqlNode statement, Function<SqlNode, RelDataType> types) {
    RecursiveQueries queries = new RecursiveQueries(types);
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlWith with) {
              queries.widen(with.withList);
            }
            return super.visit(call);
          }
        });
    return queries;
  }

  /** Returns true if a query is the union that a recursive query is. */
  boolean contains(SqlNode query) {
    return unions.contains(query);
  }

  private void widen(List<SqlNode> items) {
    for (int i = 0; i < items.size(); i++) {
      SqlWithItem item = (SqlWithItem) items.get(i);
      if (item.recursive.booleanValue()
          && item.query instanceof SqlBasicCall union
          && union.getKind() == SqlKind.UNION) {
        unions.add(union);
        widen(item, union, items.subList(0, i));
      }
    }
  }

  /**
   * Refuses queries whose steps give other types than they read.
   *
   * @param validated tells the type of a query of the statement, which has been validated
   * @param given decides whether a column of NULLs may be a parameter without a value
   */
  void check(Function<SqlNode, RelDataType> validated, GivenTypes given) {
    firsts.forEach(
        (item, first) -> {
          List<RelDataTypeField> whole = validated.apply(item.query).getFieldList();
          for (RelDataTypeField field : first.getFieldList()) {
            RelDataType type = whole.get(field.getIndex()).getType();
            if (!given.untyped() || field.getType().getSqlTypeName() != SqlTypeName.NULL) {
              check(field.getName(), field.getType(), type, item.query);
            }
          }
        });
  }

  private static void check(String name, RelDataType first, RelDataType whole, SqlNode place) {
    ColumnType type = SqlTypes.toColumnType(first);
    ColumnType wanted = SqlTypes.toColumnType(whole);
    boolean sameText = type.kind().isCharacter() && wanted.kind().isCharacter();
    if (!sameText && (type.kind() != wanted.kind() || type.scale() != wanted.scale())) {
      throw SqlErrors.at(
          ErrorCode.TYPE_MISMATCH,
          "column "
              + DerivedColumnNames.orNumbered(name)
              + " of the recursive query is "
              + type.sqlName()
              + " in its first part and "
              + wanted.sqlName()
              + " in the whole; write CAST(... AS "
              + wanted.sqlName()
              + ") in the first part",
          place.getParserPosition());
    }
  }

  private void widen(SqlWithItem item, SqlBasicCall union, List<SqlNode> before) {
    SqlNode first = union.operand(0);
    SqlParserPos pos = first.getParserPosition();
    SqlNode copy = first.accept(new CopyingShuttle());
    RelDataType type;
    try {
      type =
          types.apply(
              before.isEmpty()
                  ? copy
                  : new SqlWith(
                      pos,
                      (SqlNodeList) new SqlNodeList(before, pos).accept(new CopyingShuttle()),
                      copy));
    } catch (NelumboException e) {
      return; // said better when the whole is validated
    }
    firsts.put(item, type);
    boolean anyText =
        type.getFieldList().stream().anyMatch(field -> SqlTypeUtil.inCharFamily(field.getType()));
    if (anyText) {
      union.setOperand(0, widened(first, type, item.columnList, pos));
    }
  }

  private static SqlNode widened(
      SqlNode first, RelDataType type, SqlNodeList names, SqlParserPos pos) {
    SqlNodeList items = new SqlNodeList(pos);
    SqlNode[] renamed = new SqlNode[2 + type.getFieldCount()];
    renamed[0] = first;
    renamed[1] = new SqlIdentifier(ALIAS, pos);
    for (RelDataTypeField field : type.getFieldList()) {
      int i = field.getIndex();
      String inner = "$" + i;
      SqlIdentifier name =
          names == null || names.size() <= i
              ? new SqlIdentifier(field.getName(), pos)
              : (SqlIdentifier) names.get(i);
      SqlNode value = new SqlIdentifier(inner, pos);
      renamed[2 + i] = new SqlIdentifier(inner, pos);
      items.add(
          SqlStdOperatorTable.AS.createCall(
              pos,
              SqlTypeUtil.inCharFamily(field.getType()) ? unlimited(value, pos) : value,
              name));
    }
    return new SqlSelect(
        pos,
        null,
        items,
        SqlStdOperatorTable.AS.createCall(pos, renamed),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SqlNode unlimited(SqlNode text, SqlParserPos pos) {
    SqlBasicTypeNameSpec varchar = new SqlBasicTypeNameSpec(SqlTypeName.VARCHAR, pos);
    return SqlStdOperatorTable.CAST.createCall(pos, text, new SqlDataTypeSpec(varchar, pos));
  }
}
