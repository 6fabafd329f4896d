package org.nelumbo.planner.convert;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.planner.type.NelumboTypeSystem;
import org.nelumbo.planner.validate.NelumboValidator;

/**
 * Converts statements to relational algebra. A query of WITH is converted once, and each reference
 * to it becomes a {@link SharedQueryNode}.
 *
 * <p>The source of an INSERT is treated differently from Calcite in two ways:
 *
 * <ul>
 *   <li>Calcite casts values of {@code INSERT ... VALUES} to the types of their columns, and a cast
 *       truncates a string. Here strings are cast to a type without a limit, and a string that is
 *       too long for its column is an error when it is stored.
 *   <li>Calcite treats columns that are used only in ORDER BY as columns to be stored.
 * </ul>
 */
public final class InsertConverter extends SqlToRelConverter {
  private final NelumboValidator sources;

  private final IdentityHashMap<SqlWithItem, RelNode> named = new IdentityHashMap<>();

  private final StatementLimits limits;
  private final Runnable onNamed;

  /**
   * Creates a converter for one statement.
   *
   * @param limits limits of the statement
   * @param onNamed runs when a query of WITH is referenced for the first time
   */
  public InsertConverter(
      RelOptTable.ViewExpander expander,
      NelumboValidator validator,
      CalciteCatalogReader reader,
      RelOptCluster cluster,
      Config config,
      StatementLimits limits,
      Runnable onNamed) {
    super(expander, validator, reader, cluster, NelumboConvertlets.INSTANCE, config);
    this.sources = validator;
    this.limits = limits;
    this.onNamed = onNamed;
  }

  /** Charges the work of Calcite's comparison of each key of ORDER BY with all previous keys. */
  @Override
  protected RelFieldCollation convertOrderItem(
      SqlSelect select,
      SqlNode item,
      List<SqlNode> before,
      RelFieldCollation.Direction direction,
      RelFieldCollation.NullDirection nullDirection) {
    limits.work(before.size());
    return super.convertOrderItem(select, item, before, direction, nullDirection);
  }

  @Override
  protected void convertFrom(Blackboard blackboard, @Nullable SqlNode from) {
    if (!(from instanceof SqlWithItem item)) {
      super.convertFrom(blackboard, from);
      return;
    }
    RelNode query = named.get(item);
    if (query == null) {
      onNamed.run();
      super.convertFrom(blackboard, item);
      query = blackboard.root();
      named.put(item, query);
    }
    blackboard.setRoot(new SharedQueryNode(query, item), true);
  }

  @Override
  protected RelRoot convertQueryRecursive(
      SqlNode query, boolean top, @Nullable RelDataType targetRowType) {
    if (targetRowType == null) {
      return super.convertQueryRecursive(query, top, null);
    } else if (query.getKind() == SqlKind.VALUES) {
      return super.convertQueryRecursive(query, top, withTextsOfAnyLength(targetRowType));
    }
    RelRoot source = super.convertQueryRecursive(query, top, targetRowType);
    RelDataType stored = sources.getValidatedNodeType(query);
    return source.rel.getRowType().getFieldCount() == stored.getFieldCount()
        ? source
        : RelRoot.of(RelRoot.of(source.rel, stored, source.kind).project(), source.kind);
  }

  /**
   * Converts a chain of UNIONs to a single one of all their queries. Calcite would copy all literal
   * rows at each UNION, which takes n^2 steps for n queries.
   */
  @Override
  protected RelNode convertSetOp(SqlCall call) {
    SqlNode enclosing = sources.getNamespace(call).getEnclosingNode();
    boolean recurs = enclosing != null && enclosing.getKind() == SqlKind.WITH_ITEM;
    if (call.getKind() != SqlKind.UNION
        || recurs
        || !isUnion(call.operand(0), call.getOperator())) {
      return super.convertSetOp(call);
    }
    RelBuilder unions =
        config
            .getRelBuilderFactory()
            .create(cluster, null)
            .transform(config.getRelBuilderConfigTransform());
    Deque<SqlNode> queries = new ArrayDeque<>();
    SqlNode rest = call;
    while (isUnion(rest, call.getOperator())) {
      queries.push(((SqlCall) rest).operand(1));
      rest = ((SqlCall) rest).operand(0);
    }
    queries.push(rest);
    for (SqlNode query : queries) {
      unions.push(convertQueryRecursive(query, false, null).project());
    }
    boolean all = ((SqlSetOperator) call.getOperator()).isAll();
    return unions.union(all, queries.size()).build();
  }

  private static boolean isUnion(SqlNode node, SqlOperator operator) {
    return node instanceof SqlCall call && call.getOperator().equals(operator);
  }

  private RelDataType withTextsOfAnyLength(RelDataType row) {
    RelDataTypeFactory types = typeFactory;
    RelDataType text =
        types.createSqlType(SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH);
    RelDataTypeFactory.Builder builder = types.builder();
    for (RelDataTypeField field : row.getFieldList()) {
      RelDataType type = field.getType();
      builder.add(
          field.getName(),
          SqlTypeUtil.inCharFamily(type)
              ? types.createTypeWithNullability(text, type.isNullable())
              : type);
    }
    return builder.build();
  }
}
