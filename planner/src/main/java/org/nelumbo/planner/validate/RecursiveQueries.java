package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
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
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;

/** The types of recursive queries, whose columns have the types of their initial queries. */
public final class RecursiveQueries {
  private static final String ALIAS = "$FIRST";

  private final BiFunction<SqlNode, RecursiveQueries, RelDataType> types;

  /**
   * Unions of an initial query and a step, in which the step has the types of the initial query.
   */
  private final Set<SqlNode> unions = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Types of the initial queries: strings as before widening, DECIMALs as widened. */
  private final IdentityHashMap<SqlWithItem, RelDataType> firsts = new IdentityHashMap<>();

  private RecursiveQueries(BiFunction<SqlNode, RecursiveQueries, RelDataType> types) {
    this.types = types;
  }

  /**
   * Widens strings and DECIMALs in the initial queries of the recursive queries of a statement:
   * results that grow with each step would not fit into the type of the first value. This runs
   * before a statement is validated.
   *
   * @param types validates a query, which may be changed, with the recursive queries known so far,
   *     and returns its type
   */
  public static RecursiveQueries widen(
      SqlNode statement, BiFunction<SqlNode, RecursiveQueries, RelDataType> types) {
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

  /** Returns true if a query is the union of a recursive query. */
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
   * Rejects queries whose steps return other types than they read.
   *
   * @param validated returns the type of a validated query of the statement
   * @param given whether a column of NULLs may be a parameter without a value
   */
  public void check(Function<SqlNode, RelDataType> validated, GivenTypes given) {
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

  private static void check(String name, RelDataType first, RelDataType whole, SqlNode node) {
    ColumnType type = SqlTypes.toColumnType(first);
    ColumnType wanted = SqlTypes.toColumnType(whole);
    boolean sameText =
        (type.kind().isCharacter() && wanted.kind().isCharacter())
            || (type.kind().isBinary() && wanted.kind().isBinary());
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
          node.getParserPosition());
    }
  }

  private void widen(SqlWithItem item, SqlBasicCall union, List<SqlNode> before) {
    SqlNode first = union.operand(0);
    RelDataType type;
    try {
      SqlNode copy = first.accept(new CopyingShuttle());
      type = types.apply(before.isEmpty() ? copy : with(before, copy), this);
    } catch (NelumboException e) {
      return; // validation of the whole reports it better
    }
    firsts.put(item, type);
    SqlDataTypeSpec[] casts = new SqlDataTypeSpec[type.getFieldCount()];
    boolean hasDecimals = false;
    for (RelDataTypeField field : type.getFieldList()) {
      casts[field.getIndex()] = unlimited(field.getType(), first.getParserPosition());
      hasDecimals |= isDecimal(field.getType());
    }
    union.setOperand(0, widened(first, type, casts, item.columnList));
    if (hasDecimals) {
      widenDecimals(item, first, casts, before);
    }
  }

  /**
   * Casts DECIMALs of an initial query to the types that they have in the whole, or to NUMERIC if
   * these would grow with each step.
   */
  private void widenDecimals(
      SqlWithItem item, SqlNode first, SqlDataTypeSpec[] casts, List<SqlNode> before) {
    SqlBasicCall union = (SqlBasicCall) item.query;
    RelDataType type = firsts.get(item);
    for (boolean numeric : new boolean[] {false, true}) {
      RelDataType whole;
      try {
        whole = whole(item, before);
      } catch (NelumboException e) {
        return; // validation of the whole reports it better
      }
      boolean changed = false;
      RelDataTypeFactory.Builder widened = NelumboTypeFactory.INSTANCE.builder();
      for (RelDataTypeField field : type.getFieldList()) {
        int i = field.getIndex();
        RelDataType wide = whole.getFieldList().get(i).getType();
        boolean wider = isDecimal(field.getType()) && isWider(wide, field.getType());
        if (wider) {
          wide = numeric ? NelumboTypeFactory.numeric(NelumboTypeFactory.INSTANCE) : wide;
          casts[i] = decimal(wide, first.getParserPosition());
          changed = true;
        }
        widened.add(field.getName(), wider ? wide : field.getType());
      }
      if (!changed) {
        return;
      }
      type = widened.build();
      firsts.put(item, type);
      union.setOperand(0, widened(first, type, casts, item.columnList));
    }
  }

  private RelDataType whole(SqlWithItem item, List<SqlNode> before) {
    SqlParserPos pos = item.getParserPosition();
    List<SqlNode> items = new ArrayList<>(before);
    items.add(item);
    SqlNodeList star = SqlNodeList.of(SqlIdentifier.star(pos));
    SqlWith with = with(items, select(pos, star, item.name));
    unions.add(((SqlWithItem) with.withList.getLast()).query);
    return types.apply(with, this);
  }

  private static SqlWith with(List<SqlNode> items, SqlNode query) {
    SqlParserPos pos = query.getParserPosition();
    SqlNodeList copies = new SqlNodeList(pos);
    for (SqlNode item : items) {
      copies.add(item.accept(new CopyingShuttle()));
    }
    return new SqlWith(pos, copies, query);
  }

  private static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL && !NelumboTypeFactory.isNumeric(type);
  }

  private static boolean isWider(RelDataType whole, RelDataType first) {
    return whole.getSqlTypeName() == SqlTypeName.DECIMAL
        && (whole.getPrecision() != first.getPrecision() || whole.getScale() != first.getScale());
  }

  private static SqlNode widened(
      SqlNode first, RelDataType type, SqlDataTypeSpec[] casts, SqlNodeList names) {
    if (Arrays.stream(casts).allMatch(Objects::isNull)) {
      return first;
    }
    SqlParserPos pos = first.getParserPosition();
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
              casts[i] == null ? value : SqlStdOperatorTable.CAST.createCall(pos, value, casts[i]),
              name));
    }
    return select(pos, items, SqlStdOperatorTable.AS.createCall(pos, renamed));
  }

  private static SqlNode select(SqlParserPos pos, SqlNodeList items, SqlNode from) {
    return new SqlSelect(
        pos, null, items, from, null, null, null, null, null, null, null, null, null);
  }

  private static SqlDataTypeSpec unlimited(RelDataType type, SqlParserPos pos) {
    SqlTypeName name =
        SqlTypeUtil.inCharFamily(type)
            ? SqlTypeName.VARCHAR
            : SqlTypeUtil.isBinary(type) ? SqlTypeName.VARBINARY : null;
    return name == null ? null : new SqlDataTypeSpec(new SqlBasicTypeNameSpec(name, pos), pos);
  }

  private static SqlDataTypeSpec decimal(RelDataType type, SqlParserPos pos) {
    return new SqlDataTypeSpec(
        new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, type.getPrecision(), type.getScale(), pos),
        pos);
  }
}
