package org.nelumbo.planner.plain;

import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.rel.type.RelRecordType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The relational tree of a simple query, equal to the one that Calcite's {@link RelBuilder}
 * creates. Nodes are created directly where that needs no further knowledge: most of the work of
 * the builder is a search for unique rows.
 */
public final class PlainTree {
  private final RelOptCluster cluster;
  private RelNode node;

  /** True while the node has all rows that FROM and WHERE leave. */
  private boolean hasAllRows = true;

  private boolean isOneRow;

  /** True if rows may be duplicates, as far as Calcite can determine. */
  private boolean mayRepeatRows;

  /**
   * Creates the tree of FROM.
   *
   * @param conditions for each table the condition of its join; null if there is none
   */
  PlainTree(RelOptCluster cluster, PlainTables tables, List<RexNode> conditions) {
    this.cluster = cluster;
    this.node = from(tables, conditions);
    this.isOneRow = tables.sources().isEmpty();
    this.mayRepeatRows = tables.mayRepeatRows();
  }

  /**
   * Returns the configuration under which relational trees are built: everything remains as
   * written.
   */
  public static RelBuilder.Config plainly(RelBuilder.Config config) {
    return config.withPushJoinCondition(false).withSimplify(false).withBloat(-1);
  }

  private RelNode from(PlainTables tables, List<RexNode> conditions) {
    RelNode from = null;
    for (int i = 0; i < conditions.size(); i++) {
      RelNode scan =
          new LogicalTableScan(cluster, traits(), List.of(), tables.sources().get(i).table());
      from = from == null ? scan : join(from, scan, conditions.get(i));
    }
    return from == null ? LogicalValues.createOneRow(cluster) : from;
  }

  private RelNode join(RelNode left, RelNode right, RexNode conditionOrNull) {
    RexNode condition =
        conditionOrNull == null ? cluster.getRexBuilder().makeLiteral(true) : conditionOrNull;
    return LogicalJoin.create(
        left, right, List.of(), condition, ImmutableSet.of(), JoinRelType.INNER);
  }

  private RelTraitSet traits() {
    return cluster.traitSetOf(Convention.NONE);
  }

  RelNode node() {
    return node;
  }

  /** Keeps the rows that satisfy a condition. */
  void filter(RexNode condition) {
    node = LogicalFilter.create(node, condition);
    mayRepeatRows &= !condition.isAlwaysFalse(); // always false: there are no rows
  }

  /** Keeps the groups that satisfy a condition. */
  void having(RexNode condition) {
    node = builder().filter(List.of(), condition).build();
  }

  /** Computes columns. */
  void project(List<RexNode> columns, List<String> names) {
    if (isConstant(columns)) {
      node = builder().projectNamed(columns, names, true).build();
    } else {
      node = projection(columns, SqlValidatorUtil.uniquify(names, true));
    }
  }

  /** Computes columns, unless they are exactly the existing ones. */
  void projectOthers(List<RexNode> columns) {
    if (RexUtil.isIdentity(columns, node.getRowType())) {
      return;
    }
    List<String> names = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      names.add("$f" + i);
    }
    project(columns, names);
  }

  private boolean isConstant(List<RexNode> columns) {
    boolean isRow =
        node instanceof Values
            || node instanceof Aggregate aggregate && aggregate.getGroupSet().isEmpty();
    return isRow && columns.stream().allMatch(RexLiteral.class::isInstance);
  }

  private RelNode projection(List<RexNode> columns, List<String> names) {
    List<RelDataTypeField> fields = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      fields.add(new RelDataTypeFieldImpl(names.get(i), i, columns.get(i).getType()));
    }
    RelDataType rowType = new RelRecordType(fields);
    return new LogicalProject(
        cluster, traits(), List.of(), node, columns, rowType, ImmutableSet.of());
  }

  /** Removes duplicate rows. */
  void distinct() {
    if (isOneRow) {
      return;
    }
    ImmutableBitSet all = ImmutableBitSet.range(node.getRowType().getFieldCount());
    node = hasAllRows && mayRepeatRows ? grouped(all, List.of()) : built(all, List.of());
  }

  /**
   * Computes columns, groups by the first of them, and aggregates the others.
   *
   * @param columns group columns and arguments of the calls, or a single unused column
   */
  void aggregate(List<RexNode> columns, int groups, List<AggregateCall> calls) {
    ImmutableBitSet keys = ImmutableBitSet.range(groups);
    ImmutableBitSet used = keys;
    for (AggregateCall call : calls) {
      used = used.union(ImmutableBitSet.of(call.getArgList()));
    }
    if (!used.isEmpty() || calls.isEmpty() || isConstant(columns)) {
      projectOthers(columns);
    }
    boolean areUsed = used.isEmpty() || used.cardinality() == columns.size();
    boolean mayGroup = !calls.isEmpty() || groups > 0 && mayRepeatRows;
    node = areUsed && mayGroup ? grouped(keys, calls) : built(keys, calls);
    hasAllRows = false;
    isOneRow = groups == 0;
  }

  private RelNode grouped(ImmutableBitSet keys, List<AggregateCall> calls) {
    return new LogicalAggregate(cluster, traits(), List.of(), node, keys, List.of(keys), calls);
  }

  private RelNode built(ImmutableBitSet keys, List<AggregateCall> calls) {
    RelBuilder builder = builder();
    return builder.aggregate(builder.groupKey(keys), calls).build();
  }

  private RelBuilder builder() {
    return RelFactories.LOGICAL_BUILDER
        .create(cluster, null)
        .transform(PlainTree::plainly)
        .push(node);
  }
}
