package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.op.basic.SingleRow;
import org.nelumbo.planner.access.ScanPattern;
import org.nelumbo.planner.access.ScanPlanner;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.join.InnerJoinPlanner;
import org.nelumbo.planner.join.JoinInput;
import org.nelumbo.planner.join.JoinMethods;
import org.nelumbo.planner.plain.TableQuery;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.type.NelumboTypeFactory;

/**
 * Plans a query without a relational tree. The plan is the one that {@link RelPlanner} makes of its
 * tree: sorted, distinct columns of a grouping of a join.
 */
final class TableQueryPlanner {
  private final PlanContext context;
  private final TableQuery query;
  private final RelationBuilder builder;
  private final ScanPlanner scans;
  private final List<Table> tables = new ArrayList<>();

  TableQueryPlanner(PlanContext context, TableQuery query) {
    this.context = context;
    this.query = query;
    this.builder = new RelationBuilder(context);
    this.scans = new ScanPlanner(context);
    for (CatalogTable table : query.tables()) {
      tables.add(new Table(table));
    }
  }

  PlannedRelation plan() {
    context.enter();
    List<RequiredOrder.Key> keys = RelPlanner.keys(query.order());
    Expression offset = RelPlanner.count(context, query.offset());
    Expression fetch = RelPlanner.count(context, query.fetch());
    RequiredOrder order = new RequiredOrder(keys, RelPlanner.rowsHint(offset, fetch));
    PlannedRelation rows = query.distinct() ? distinct() : columns(order, List.of());
    context.leave();
    return keys.isEmpty() && offset == null && fetch == null
        ? rows
        : RelPlanner.sorted(rows, keys, offset, fetch);
  }

  private PlannedRelation distinct() {
    List<Integer> all = IntStream.range(0, query.columns().size()).boxed().toList();
    return new AggregatePlanner(context, new Columns(), all, List.of()).plan(List.of());
  }

  private PlannedRelation columns(RequiredOrder requiredOrder, List<RexNode> conjuncts) {
    return projected(
        query.columns(),
        conjuncts,
        requiredOrder,
        query.grouping() == null ? this::from : (below, _) -> grouped(below));
  }

  private PlannedRelation grouped(List<RexNode> above) {
    TableQuery.Grouping grouping = query.grouping();
    List<RexNode> conjuncts = new ArrayList<>(above);
    conjuncts.addAll(grouping.having());
    if (builder.neverHold(conjuncts)) {
      return builder.empty(resultsOf(grouping));
    }
    List<Integer> groups = IntStream.range(0, grouping.groups()).boxed().toList();
    return new AggregatePlanner(context, new GroupInputs(), groups, grouping.calls())
        .plan(conjuncts)
        .unsorted();
  }

  private static List<RelDataTypeField> resultsOf(TableQuery.Grouping grouping) {
    List<RelDataTypeField> results = new ArrayList<>();
    for (RexNode group : grouping.inputs().subList(0, grouping.groups())) {
      results.add(new RelDataTypeFieldImpl("$f" + results.size(), results.size(), group.getType()));
    }
    grouping
        .calls()
        .forEach(
            call ->
                results.add(
                    new RelDataTypeFieldImpl(
                        "$f" + results.size(), results.size(), call.getType())));
    return results;
  }

  /** Plans the rows of FROM and WHERE. */
  private PlannedRelation from(List<RexNode> above, RequiredOrder requiredOrder) {
    List<RexNode> conjuncts = new ArrayList<>(above);
    conjuncts.addAll(query.where());
    PlannedRelation rows =
        switch (tables.size()) {
          case 0 -> constants(conjuncts);
          case 1 -> tables.getFirst().plan(conjuncts, requiredOrder);
          default -> joined(conjuncts, requiredOrder);
        };
    return asRequired(rows, requiredOrder);
  }

  private PlannedRelation constants(List<RexNode> conjuncts) {
    return builder.neverHold(conjuncts)
        ? builder.empty(List.of())
        : builder.filter(
            new PlannedRelation(new SingleRow(), List.of(), 1, ProvidedOrder.SINGLE), conjuncts);
  }

  private PlannedRelation joined(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
    return builder.neverHold(conjuncts)
        ? builder.empty(fieldsOfJoin())
        : new InnerJoinPlanner(context, scans, new JoinMethods(context, scans), tables, query.on())
            .plan(conjuncts, requiredOrder);
  }

  private List<RelDataTypeField> fieldsOfJoin() {
    RelDataType row = tables.getFirst().table.rowType();
    for (Table next : tables.subList(1, tables.size())) {
      row =
          SqlValidatorUtil.deriveJoinRowType(
              row,
              next.table.rowType(),
              JoinRelType.INNER,
              NelumboTypeFactory.INSTANCE,
              null,
              List.of());
    }
    return row.getFieldList();
  }

  /** Plans rows under conditions over their fields. */
  @FunctionalInterface
  private interface Rows {
    PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder);
  }

  /** Plans expressions over rows, under conditions over these expressions. */
  private PlannedRelation projected(
      List<RexNode> expressions, List<RexNode> conjuncts, RequiredOrder requiredOrder, Rows input) {
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      RexNode substituted = Conjuncts.substitute(conjunct, expressions);
      boolean isMovable = !context.growthLimit().isTooMuch(conjunct, substituted.nodeCount());
      (isMovable ? below : above).add(isMovable ? substituted : conjunct);
    }
    RequiredOrder inner = requiredOrder.mapped(field -> column(expressions.get(field)));
    PlannedRelation rows = input.plan(below, inner);
    if (context.growthLimit().areTooMuch(expressions, rows.columns())) {
      rows = builder.materialize(rows);
    }
    List<Expression> columns = new RexTranslator(context, rows.columns()).translateAll(expressions);
    context.growthLimit().note(columns, expressions, rows.columns());
    return asRequired(builder.filter(rows.withColumns(columns), above), requiredOrder);
  }

  private static int column(RexNode expression) {
    return expression instanceof RexInputRef reference ? reference.getIndex() : -1;
  }

  private static PlannedRelation asRequired(PlannedRelation planned, RequiredOrder requiredOrder) {
    boolean needsOrder = requiredOrder.isOrdered() && planned.isOrderedBy(requiredOrder.keys());
    return needsOrder ? planned : planned.unsorted();
  }

  /** The selected columns, whose distinct rows are the result. */
  private final class Columns implements AggregatePlanner.Input {
    @Override
    public RelDataType type(int field) {
      return query.columns().get(field).getType();
    }

    @Override
    public boolean isIndexed(int field) {
      return false;
    }

    @Override
    public PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
      return columns(requiredOrder, conjuncts);
    }
  }

  /** The group columns and the arguments of aggregate functions. */
  private final class GroupInputs implements AggregatePlanner.Input {
    private final List<RexNode> inputs = query.grouping().inputs();

    @Override
    public RelDataType type(int field) {
      return inputs.get(field).getType();
    }

    @Override
    public boolean isIndexed(int field) {
      int column = column(inputs.get(field));
      for (Table table : tables) {
        int count = table.types.size();
        if (column >= 0 && column < count) {
          return AggregatePlanner.isInAnIndex(table.pattern.entry(), column);
        }
        column -= count;
      }
      return false;
    }

    @Override
    public PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
      return projected(inputs, conjuncts, requiredOrder, TableQueryPlanner.this::from);
    }
  }

  /** A table of FROM. */
  private final class Table implements JoinInput {
    private final CatalogTable table;
    private final List<RelDataType> types = new ArrayList<>();
    private final ScanPattern pattern;

    Table(CatalogTable table) {
      this.table = table;
      this.pattern = ScanPattern.ofTable(this, (TableEntry) table.relation(), table.rowType());
      table.rowType().getFieldList().forEach(field -> types.add(field.getType()));
    }

    @Override
    public List<RelDataType> types() {
      return types;
    }

    @Override
    public ScanPattern pattern() {
      return pattern;
    }

    @Override
    public double rows() {
      throw new UnsupportedOperationException("a table has a pattern");
    }

    @Override
    public PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
      return builder.neverHold(conjuncts)
          ? builder.empty(table.rowType().getFieldList())
          : asRequired(scans.plan(this, pattern.entry(), conjuncts, requiredOrder), requiredOrder);
    }
  }
}
