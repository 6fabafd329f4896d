package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.aggregate.AggregateExpression;
import org.nelumbo.executor.op.aggregate.Grouping;
import org.nelumbo.executor.op.aggregate.HashAggregate;
import org.nelumbo.executor.op.basic.Distinct;
import org.nelumbo.executor.op.basic.Limit;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.function.OrderedFunction;
import org.nelumbo.planner.function.PairFunction;
import org.nelumbo.planner.relation.CostModel;
import org.nelumbo.planner.relation.InputPlanner;
import org.nelumbo.planner.relation.LockedRowsNode;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.relation.ProvidedOrder;
import org.nelumbo.planner.relation.RelationBuilder;
import org.nelumbo.planner.relation.RequiredOrder;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans GROUP BY, DISTINCT and aggregate functions. MIN or MAX of a column that an index orders is
 * the first row of a scan.
 */
final class AggregatePlanner {
  private static final RexBuilder REX = new RexBuilder(NelumboTypeFactory.INSTANCE);

  private final PlanContext context;
  private final RelationBuilder builder;
  private final Input input;
  private final List<Integer> groups;
  private final List<AggregateCall> calls;

  /**
   * Creates a planner of one aggregation.
   *
   * @param groups fields of the input by which its rows are grouped
   * @param calls aggregate functions of fields of the input
   */
  AggregatePlanner(
      PlanContext context, Input input, List<Integer> groups, List<AggregateCall> calls) {
    this.context = context;
    this.builder = new RelationBuilder(context);
    this.input = input;
    this.groups = groups;
    this.calls = calls;
  }

  /** The relation whose rows are aggregated. */
  interface Input {
    RelDataType type(int field);

    /** Returns true if a field is a column by which an index orders its rows. */
    boolean isIndexed(int field);

    /**
     * Plans the relation.
     *
     * @param conjuncts conditions over its fields that all rows must satisfy
     */
    PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder);
  }

  /** A node of a relational tree whose rows are aggregated. */
  private record NodeInput(RelNode node, InputPlanner inputs) implements Input {
    @Override
    public RelDataType type(int field) {
      return node.getRowType().getFieldList().get(field).getType();
    }

    @Override
    public boolean isIndexed(int field) {
      return isInAnIndex(node, field);
    }

    @Override
    public PlannedRelation plan(List<RexNode> conjuncts, RequiredOrder requiredOrder) {
      return inputs.plan(node, conjuncts, requiredOrder);
    }
  }

  /** Plans a node of a relational tree. */
  static PlannedRelation plan(
      PlanContext context, InputPlanner inputs, Aggregate aggregate, List<RexNode> conjuncts) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE || GroupingSets.areAsked(aggregate)) {
      return inputs.plan(GroupingSets.union(aggregate), conjuncts, RequiredOrder.NOTHING);
    }
    return new AggregatePlanner(
            context,
            new NodeInput(aggregate.getInput(), inputs),
            aggregate.getGroupSet().asList(),
            aggregate.getAggCallList())
        .plan(conjuncts);
  }

  /**
   * Plans the aggregation.
   *
   * @param conjuncts conditions over the groups and the results of the calls, in this order
   */
  PlannedRelation plan(List<RexNode> conjuncts) {
    List<RexNode> below = new ArrayList<>();
    List<RexNode> above = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      boolean onGroups = !groups.isEmpty() && Conjuncts.fields(conjunct).length() <= groups.size();
      if (onGroups) {
        below.add(Conjuncts.substitute(conjunct, groupFields()));
      } else {
        above.add(conjunct);
      }
    }
    PlannedRelation extreme = below.isEmpty() ? extreme() : null;
    PlannedRelation result = extreme != null ? extreme : aggregate(below);
    return builder.filter(result, above);
  }

  private List<RexInputRef> groupFields() {
    return groups.stream().map(field -> new RexInputRef(field, input.type(field))).toList();
  }

  private PlannedRelation aggregate(List<RexNode> below) {
    PlannedRelation rows = input.plan(below, RequiredOrder.NOTHING);
    List<Expression> expressions = new ArrayList<>();
    groups.forEach(field -> expressions.add(rows.columns().get(field)));
    double count = groups.isEmpty() ? 1 : Math.max(1, rows.rows() * CostModel.GROUPS);
    if (calls.isEmpty() && !groups.isEmpty()) {
      Operator distinct = new Distinct(rows.operator(), ColumnLists.array(expressions));
      return new PlannedRelation(distinct, expressions, count, ProvidedOrder.NONE);
    }
    return grouped(rows, expressions).withRows(count);
  }

  private PlannedRelation grouped(PlannedRelation rows, List<Expression> keys) {
    int[] slots = new int[keys.size()];
    List<Expression> columns = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      ColumnType type = keys.get(i).type();
      slots[i] = context.shape().addSlot(type);
      columns.add(Expressions.slot(type, slots[i], keys.get(i).toString()));
    }
    List<AggregateExpression> results = new ArrayList<>();
    for (AggregateCall call : calls) {
      if (call.getAggregation().getKind() == SqlKind.LITERAL_AGG) {
        columns.add(new RexTranslator(context, List.of()).translate(call.rexList.getFirst()));
      } else {
        AggregateExpression planned = call(call, rows);
        results.add(planned);
        columns.add(Expressions.slot(planned.type(), planned.slot(), planned.toString()));
      }
    }
    Grouping grouping =
        new Grouping(ColumnLists.array(keys), slots, results.toArray(AggregateExpression[]::new));
    return new PlannedRelation(
        new HashAggregate(rows.operator(), grouping), columns, 1, ProvidedOrder.NONE);
  }

  private AggregateExpression call(AggregateCall call, PlannedRelation input) {
    AggregateExpression.Function function = function(call);
    List<Integer> arguments = call.getArgList();
    if (function == AggregateExpression.Function.LISTAGG) {
      return joining(call, input);
    } else if (call.getAggregation() instanceof PairFunction && !call.isDistinct()) {
      return pair(
          function,
          input.columns().get(arguments.get(0)),
          input.columns().get(arguments.get(1)),
          call.filterArg < 0 ? null : input.columns().get(call.filterArg));
    } else if (call.getAggregation() instanceof OrderedFunction && !call.isDistinct()) {
      return ordered(function, call, input);
    } else if (arguments.size() > 1) {
      throw unsupported(call);
    }
    Expression argument = arguments.isEmpty() ? null : input.columns().get(arguments.getFirst());
    boolean ofBits =
        switch (function) {
          case BIT_AND, BIT_OR, BIT_XOR -> true;
          default -> false;
        };
    if (ofBits && !argument.type().kind().isInteger()) {
      throw unsupported(call);
    }
    Expression filter = call.filterArg < 0 ? null : input.columns().get(call.filterArg);
    boolean sameType =
        switch (function) {
          case MIN, MAX, ANY_VALUE, SINGLE_VALUE, BIT_AND, BIT_OR, BIT_XOR -> true;
          default -> false;
        };
    ColumnType type = sameType ? argument.type().orNull() : SqlTypes.toColumnType(call.getType());
    if (function != AggregateExpression.Function.COUNT
        && function != AggregateExpression.Function.SUM0) {
      type = type.orNull();
    }
    int slot = context.shape().addSlot(type);
    return new AggregateExpression(function, argument, call.isDistinct(), filter, type, slot);
  }

  /** Plans an aggregate function of two numbers. */
  AggregateExpression pair(
      AggregateExpression.Function function, Expression y, Expression x, Expression filter) {
    ColumnType type =
        function == AggregateExpression.Function.REGR_COUNT
            ? ColumnType.of(Kind.BIGINT)
            : ColumnType.of(Kind.DOUBLE).orNull();
    return new AggregateExpression(
        function, y, false, filter, type, context.shape().addSlot(type), null, x);
  }

  private AggregateExpression joining(AggregateCall call, PlannedRelation input) {
    ColumnType text = ColumnType.of(Kind.VARCHAR).orNull();
    List<Integer> arguments = call.getArgList();
    List<Expression> texts = new ArrayList<>();
    for (int argument : arguments) {
      texts.add(Casts.assign(text, input.columns().get(argument)));
    }
    List<SortKey> order = order(call, input);
    if (call.isDistinct() && order.isEmpty()) {
      order.add(new SortKey(texts.getFirst(), false, true)); // the order of PostgreSQL and H2
    }
    AggregateExpression.Joining joining =
        new AggregateExpression.Joining(texts.size() > 1 ? texts.get(1) : null, order);
    return new AggregateExpression(
        AggregateExpression.Function.LISTAGG,
        texts.getFirst(),
        call.isDistinct(),
        call.filterArg < 0 ? null : input.columns().get(call.filterArg),
        text,
        context.shape().addSlot(text),
        joining,
        null);
  }

  private static List<SortKey> order(AggregateCall call, PlannedRelation input) {
    List<SortKey> order = new ArrayList<>();
    for (RelFieldCollation field : call.getCollation().getFieldCollations()) {
      order.add(
          new SortKey(
              input.columns().get(field.getFieldIndex()),
              field.getDirection().isDescending(),
              field.nullDirection == RelFieldCollation.NullDirection.FIRST));
    }
    return order;
  }

  private AggregateExpression ordered(
      AggregateExpression.Function function, AggregateCall call, PlannedRelation input) {
    List<Integer> arguments = call.getArgList();
    Expression value = input.columns().get(arguments.getFirst());
    ColumnType type =
        function == AggregateExpression.Function.PERCENTILE_CONT
            ? ColumnType.of(Kind.DOUBLE).orNull()
            : value.type().orNull();
    return new AggregateExpression(
        function,
        value,
        false,
        call.filterArg < 0 ? null : input.columns().get(call.filterArg),
        type,
        context.shape().addSlot(type),
        new AggregateExpression.Joining(null, order(call, input)),
        arguments.size() > 1 ? input.columns().get(arguments.get(1)) : null);
  }

  private static AggregateExpression.Function function(AggregateCall call) {
    return function(call.getAggregation());
  }

  static AggregateExpression.Function function(SqlAggFunction aggregation) {
    return switch (aggregation.getKind()) {
      case COUNT -> AggregateExpression.Function.COUNT;
      case SUM -> AggregateExpression.Function.SUM;
      case SUM0 -> AggregateExpression.Function.SUM0;
      case MIN -> AggregateExpression.Function.MIN;
      case MAX -> AggregateExpression.Function.MAX;
      case AVG -> AggregateExpression.Function.AVG;
      case VAR_POP -> AggregateExpression.Function.VAR_POP;
      case VAR_SAMP -> AggregateExpression.Function.VAR_SAMP;
      case STDDEV_POP -> AggregateExpression.Function.STDDEV_POP;
      case STDDEV_SAMP -> AggregateExpression.Function.STDDEV_SAMP;
      case LISTAGG, STRING_AGG -> AggregateExpression.Function.LISTAGG;
      case BIT_AND -> AggregateExpression.Function.BIT_AND;
      case BIT_OR -> AggregateExpression.Function.BIT_OR;
      case BIT_XOR -> AggregateExpression.Function.BIT_XOR;
      case OTHER_FUNCTION -> {
        if (aggregation instanceof PairFunction || aggregation instanceof OrderedFunction) {
          yield AggregateExpression.Function.valueOf(aggregation.getName());
        }
        throw unsupported(aggregation);
      }
      case ANY_VALUE -> AggregateExpression.Function.ANY_VALUE;
      case SINGLE_VALUE -> AggregateExpression.Function.SINGLE_VALUE;
      default -> throw unsupported(aggregation);
    };
  }

  private static NelumboException unsupported(AggregateCall call) {
    return unsupported(call.getAggregation());
  }

  private static NelumboException unsupported(SqlAggFunction aggregation) {
    return new NelumboException(
        ErrorCode.UNSUPPORTED,
        "aggregate function " + aggregation.getName() + " is not supported in this form");
  }

  /**
   * The field must be one by which the input can be ordered: the first row has the result. Returns
   * null if this is not possible.
   */
  private PlannedRelation extreme() {
    if (!groups.isEmpty() || calls.size() != 1) {
      return null;
    }
    AggregateCall call = calls.getFirst();
    SqlKind kind = call.getAggregation().getKind();
    if ((kind != SqlKind.MIN && kind != SqlKind.MAX) || call.filterArg >= 0) {
      return null;
    }
    int field = call.getArgList().getFirst();
    if (!input.isIndexed(field)) {
      return null;
    }
    RexInputRef argument = new RexInputRef(field, input.type(field));
    List<RexNode> notNull =
        argument.getType().isNullable()
            ? List.of(REX.makeCall(SqlStdOperatorTable.IS_NOT_NULL, argument))
            : List.of();
    Expression one = Expressions.literal(ColumnType.of(Kind.BIGINT), 1L);
    RequiredOrder.Key key = new RequiredOrder.Key(field, kind == SqlKind.MAX, false);
    PlannedRelation rows = input.plan(notNull, new RequiredOrder(List.of(key), one));
    if (!rows.isOrderedBy(List.of(key))) {
      return notNull.isEmpty() ? grouped(rows, List.of()) : null;
    }
    PlannedRelation first = rows.withOperator(new Limit(rows.operator(), null, one));
    return grouped(first, List.of());
  }

  /**
   * Other fields than indexed columns are not tried: plans that are made and discarded at each
   * nesting level would double the planning time per level.
   */
  private static boolean isInAnIndex(RelNode node, int field) {
    return switch (node) {
      case Filter filter -> isInAnIndex(filter.getInput(), field);
      case LockedRowsNode locked -> isInAnIndex(locked.getInput(), field);
      case Project project ->
          project.getProjects().get(field) instanceof RexInputRef column
              && isInAnIndex(project.getInput(), column.getIndex());
      case Join join -> {
        int leftCount = join.getLeft().getRowType().getFieldCount();
        yield field < leftCount
            ? isInAnIndex(join.getLeft(), field)
            : isInAnIndex(join.getRight(), field - leftCount);
      }
      case TableScan scan ->
          SqlFrontEnd.table(scan.getTable()).relation() instanceof TableEntry table
              && isInAnIndex(table, field);
      default -> false;
    };
  }

  /** Returns true if the primary key or an index of a table contains a column. */
  static boolean isInAnIndex(TableEntry table, int column) {
    return contains(table.schema().primaryKey(), column)
        || Arrays.stream(table.store().indexes())
            .anyMatch(index -> contains(index.schema().columns(), column));
  }

  private static boolean contains(int[] columns, int column) {
    return Arrays.stream(columns).anyMatch(each -> each == column);
  }
}
