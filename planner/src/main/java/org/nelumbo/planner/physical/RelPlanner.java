package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.ArithmeticOp;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameShape;
import org.nelumbo.executor.expr.Numbers;
import org.nelumbo.executor.op.Limit;
import org.nelumbo.executor.op.Operator;
import org.nelumbo.executor.op.SingleRow;
import org.nelumbo.executor.op.SortKey;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;

/**
 * Plans relational nodes. {@link #plan} is handed conditions over the node's fields that its rows
 * have to meet, and the order they are wanted in: a node passes on what it can, and does the rest
 * itself.
 */
final class RelPlanner {
  private static final double FILTERED = 0.3;

  private final PlanContext context;
  private final ScanPlanner scans;
  private final JoinPlanner joins;
  private final SubQueryPlanner subQueries;
  private final AggregatePlanner aggregates;
  private final SetPlanner sets;

  RelPlanner(PlanContext context) {
    this.context = context;
    this.scans = new ScanPlanner(context);
    this.joins = new JoinPlanner(context, this);
    this.subQueries = new SubQueryPlanner(context, this);
    this.aggregates = new AggregatePlanner(context, this);
    this.sets = new SetPlanner(context, this);
  }

  ScanPlanner scans() {
    return scans;
  }

  JoinPlanner joins() {
    return joins;
  }

  Physical plan(RelNode node) {
    return plan(node, List.of(), Wanted.NOTHING);
  }

  /**
   * Plans a node.
   *
   * @param conjuncts conditions over its fields that are to hold, without subqueries
   */
  Physical plan(RelNode node, List<RexNode> conjuncts, Wanted wanted) {
    if (conjuncts.stream().anyMatch(this::neverHolds)) {
      return sets.empty(node);
    }
    return switch (node) {
      case TableScan scan -> scans.plan(scan, conjuncts, wanted);
      case Filter filter -> filter(filter, conjuncts, wanted);
      case Project project -> project(project, conjuncts, wanted);
      case Join join -> joins.plan(join, conjuncts, wanted);
      case Correlate correlate -> joins.plan(correlate, conjuncts);
      case Aggregate aggregate -> aggregates.plan(aggregate, conjuncts);
      case Sort sort -> sort(sort, conjuncts);
      case SetOp setOp -> sets.plan(setOp, conjuncts);
      case Values values -> filtered(sets.values(values), conjuncts);
      default -> throw unsupported(node);
    };
  }

  /** Whether a condition is a constant that is not TRUE. */
  private boolean neverHolds(RexNode conjunct) {
    if (!RexUtil.isConstant(conjunct)) {
      return conjunct.isAlwaysFalse();
    }
    Expression condition = new RexTranslator(context, List.of()).translate(conjunct);
    return condition.isConstant() && !isTrue(condition);
  }

  private static boolean isTrue(Expression constant) {
    try {
      return constant.isTrue(new Frame(new FrameShape(), null));
    } catch (NelumboException e) {
      return true;
    }
  }

  private static NelumboException unsupported(RelNode node) {
    String name = node.getRelTypeName().replaceFirst("^Logical", "");
    return new NelumboException(
        ErrorCode.UNSUPPORTED,
        name.equals("Window")
            ? "Window functions are not supported."
            : name + " is not supported.");
  }

  /** Checks what is left of the conditions. */
  Physical filtered(Physical input, List<RexNode> conjuncts) {
    Expression condition = new RexTranslator(context, input.columns()).conjunction(conjuncts);
    if (condition == null) {
      return input;
    }
    Operator filter = new org.nelumbo.executor.op.Filter(input.operator(), condition);
    return input.withOperator(filter).withRows(Math.max(1, input.rows() * FILTERED));
  }

  private Physical filter(Filter filter, List<RexNode> conjuncts, Wanted wanted) {
    List<RexNode> all = new ArrayList<>(conjuncts);
    List<RexNode> withSubQueries = new ArrayList<>();
    for (RexNode conjunct : Conjuncts.of(filter.getCondition())) {
      (Conjuncts.hasSubQuery(conjunct) ? withSubQueries : all).add(conjunct);
    }
    boolean limited = withSubQueries.isEmpty();
    Wanted below = limited ? wanted : new Wanted(wanted.keys(), null);
    Physical input = plan(filter.getInput(), all, below);
    for (RexNode conjunct : withSubQueries) {
      input = subQueries.filter(input, filter, conjunct);
    }
    return input;
  }

  private Physical project(Project project, List<RexNode> conjuncts, Wanted wanted) {
    List<RexNode> expressions = project.getProjects();
    if (project.containsOver()) {
      throw new NelumboException(ErrorCode.UNSUPPORTED, "Window functions are not supported.");
    }
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      RexNode substituted = Conjuncts.substitute(conjunct, expressions);
      boolean movable =
          !Conjuncts.hasSubQuery(substituted) && Conjuncts.isDeterministic(substituted);
      (movable ? below : above).add(movable ? substituted : conjunct);
    }
    Wanted inner =
        wanted.mapped(
            field -> expressions.get(field) instanceof RexInputRef ref ? ref.getIndex() : -1);
    Physical input = plan(project.getInput(), below, inner);
    SubQueryPlanner.Scalars scalars = subQueries.scalars(input, project, expressions);
    List<Expression> columns =
        new RexTranslator(context, scalars.input().columns()).translateAll(scalars.expressions());
    return filtered(scalars.input().withColumns(columns), above);
  }

  private Physical sort(Sort sort, List<RexNode> conjuncts) {
    boolean limited = sort.offset != null || sort.fetch != null;
    RexTranslator constants = new RexTranslator(context, List.of());
    Expression offset = count(sort.offset, constants);
    Expression fetch = count(sort.fetch, constants);
    List<Wanted.Key> keys = new ArrayList<>();
    for (RelFieldCollation field : sort.getCollation().getFieldCollations()) {
      boolean descending = field.getDirection().isDescending();
      boolean nullsFirst = field.nullDirection == RelFieldCollation.NullDirection.FIRST;
      keys.add(new Wanted.Key(field.getFieldIndex(), descending, nullsFirst == descending));
    }
    Wanted wanted = new Wanted(keys, rowsHint(offset, fetch));
    Physical input = plan(sort.getInput(), limited ? List.of() : conjuncts, wanted);
    Physical sorted = sorted(input, keys, offset, fetch);
    return limited ? filtered(sorted, conjuncts) : sorted;
  }

  private static Expression count(RexNode node, RexTranslator translator) {
    return node == null ? null : Casts.cast(ColumnType.of(Kind.BIGINT), translator.translate(node));
  }

  private static Expression rowsHint(Expression offset, Expression fetch) {
    return offset == null || fetch == null
        ? fetch
        : Numbers.arithmetic(ArithmeticOp.PLUS, ColumnType.of(Kind.BIGINT), offset, fetch);
  }

  private Physical sorted(
      Physical input, List<Wanted.Key> keys, Expression offset, Expression fetch) {
    if (keys.isEmpty() || input.ordered()) {
      if (offset == null && fetch == null) {
        return input;
      }
      return input.withOperator(new Limit(input.operator(), offset, fetch)).withRows(10);
    }
    SortKey[] sortKeys =
        keys.stream()
            .map(
                key ->
                    new SortKey(
                        input.columns().get(key.field()),
                        key.descending(),
                        key.descending() == key.nullsHigh()))
            .toArray(SortKey[]::new);
    Operator sort = new org.nelumbo.executor.op.Sort(input.operator(), sortKeys, offset, fetch);
    return new Physical(sort, input.columns(), fetch == null ? input.rows() : 10, true);
  }

  /** The relation's columns as slots, for those above an outer join that may be missing. */
  Physical materialized(Physical input) {
    boolean plain =
        input.columns().stream()
            .allMatch(
                column ->
                    column instanceof org.nelumbo.executor.expr.ColumnReference
                        || column instanceof org.nelumbo.executor.expr.SlotReference);
    if (plain) {
      return input;
    }
    int[] slots = new int[input.columns().size()];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      Expression column = input.columns().get(i);
      slots[i] = context.shape().addSlot(column.type());
      columns.add(Expressions.slot(column.type(), slots[i], column.toString()));
    }
    Operator project =
        new org.nelumbo.executor.op.Project(
            input.operator(), input.columns().toArray(Expression[]::new), slots);
    return new Physical(project, columns, input.rows(), input.ordered());
  }

  /**
   * Columns of a side that an outer join may leave out; the side has been {@link #materialized}.
   */
  static List<Expression> absent(List<Expression> columns) {
    List<Expression> nullable = new ArrayList<>();
    for (Expression column : columns) {
      nullable.add(
          switch (column) {
            case org.nelumbo.executor.expr.ColumnReference reference -> reference.whereAbsent();
            case org.nelumbo.executor.expr.SlotReference slot ->
                Expressions.slot(slot.type().orNull(), slot.slot(), slot.toString());
            default -> throw new IllegalArgumentException("not materialised column=" + column);
          });
    }
    return nullable;
  }

  /** A single row without columns. */
  static Operator singleRow() {
    return new SingleRow();
  }

  static Expression[] array(List<Expression> expressions) {
    return expressions.toArray(Expression[]::new);
  }

  static List<Expression> concat(List<Expression> left, List<Expression> right) {
    List<Expression> both = new ArrayList<>(left);
    both.addAll(right);
    return both;
  }

  static List<Expression> list(Expression... expressions) {
    return Arrays.asList(expressions);
  }
}
