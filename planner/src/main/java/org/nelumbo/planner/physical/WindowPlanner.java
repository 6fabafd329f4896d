package org.nelumbo.planner.physical;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.SqlKind;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ArithmeticOp;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.CompareOp;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.NumericFunctions;
import org.nelumbo.executor.op.aggregate.AggregateExpression;
import org.nelumbo.executor.op.aggregate.Window;
import org.nelumbo.executor.op.aggregate.WindowCall;
import org.nelumbo.executor.op.basic.RowSort;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.planner.function.GroupsOperator;
import org.nelumbo.planner.relation.PlannedRelation;
import org.nelumbo.planner.rex.ColumnLists;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Plans window functions. Functions with the same window share one sort by partition and order.
 * Their values become additional columns of the input.
 */
final class WindowPlanner {
  private static final ColumnType NUMBER = ColumnType.of(Kind.BIGINT);

  private final PlanContext context;

  WindowPlanner(PlanContext context) {
    this.context = context;
  }

  /** An input with the values of window functions, and expressions that refer to them. */
  record Planned(PlannedRelation input, List<RexNode> expressions) {}

  Planned plan(PlannedRelation input, List<RexNode> expressions) {
    Map<String, List<RexOver>> windows = new LinkedHashMap<>();
    Map<RexOver, Integer> places = new LinkedHashMap<>();
    RexShuttle collecting =
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            if (places.putIfAbsent(over, -1) == null) {
              windows
                  .computeIfAbsent(sorting(over.getWindow()), key -> new ArrayList<>())
                  .add(over);
            }
            return over;
          }
        };
    expressions.forEach(expression -> expression.accept(collecting));
    List<Expression> columns = new ArrayList<>(input.columns());
    PlannedRelation planned = input;
    for (List<RexOver> calls : windows.values()) {
      planned = plan(planned, input.columns(), calls, columns, places);
    }
    RexShuttle replacing =
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            return new RexInputRef(places.get(over), over.getType());
          }
        };
    List<RexNode> replaced = new ArrayList<>();
    expressions.forEach(expression -> replaced.add(expression.accept(replacing)));
    return new Planned(planned.withColumns(columns).unsorted(), replaced);
  }

  private static String sorting(RexWindow window) {
    return window.partitionKeys + " " + window.orderKeys;
  }

  private PlannedRelation plan(
      PlannedRelation input,
      List<Expression> fields,
      List<RexOver> overs,
      List<Expression> columns,
      Map<RexOver, Integer> places) {
    RexTranslator translator = new RexTranslator(context, fields);
    RexWindow window = overs.getFirst().getWindow();
    List<Expression> partition = translator.translateAll(window.partitionKeys);
    List<SortKey> order = new ArrayList<>();
    for (RexFieldCollation key : window.orderKeys) {
      order.add(
          new SortKey(
              translator.translate(key.left),
              key.getDirection().isDescending(),
              key.getNullDirection() == RelFieldCollation.NullDirection.FIRST));
    }
    List<SortKey> sort = new ArrayList<>();
    partition.forEach(key -> sort.add(new SortKey(key, false, true)));
    sort.addAll(order);
    Operator sorted =
        sort.isEmpty()
            ? input.operator()
            : new RowSort(input.operator(), sort.toArray(SortKey[]::new), null, null);
    WindowCall[] calls = new WindowCall[overs.size()];
    for (int i = 0; i < calls.length; i++) {
      calls[i] = call(overs.get(i), translator);
      places.put(overs.get(i), columns.size());
      columns.add(Expressions.slot(calls[i].type(), calls[i].slot(), calls[i].toString()));
    }
    return input.withOperator(
        new Window(sorted, ColumnLists.array(partition), order.toArray(SortKey[]::new), calls));
  }

  private WindowCall call(RexOver over, RexTranslator translator) {
    List<Expression> arguments = new ArrayList<>(translator.translateAll(over.getOperands()));
    WindowCall.RowFrame frame = frame(over.getWindow(), translator);
    WindowCall.Function function = function(over.getAggOperator().getKind());
    boolean ofValues =
        switch (function) {
          case LAG, LEAD, FIRST_VALUE, LAST_VALUE, NTH_VALUE -> true;
          default -> false;
        };
    if (over.ignoreNulls() && !ofValues) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "IGNORE NULLS is for FIRST_VALUE, LAST_VALUE, NTH_VALUE, LAG and LEAD, not for "
              + over.getAggOperator().getName());
    }
    ColumnType type = SqlTypes.toColumnType(over.getType());
    AggregateExpression aggregate = null;
    switch (function) {
      case AGGREGATE -> {
        aggregate = aggregate(over, arguments);
        type = aggregate.type();
      }
      case LAG, LEAD -> {
        type = type.orNull();
        arguments.set(0, Casts.cast(type, arguments.get(0)));
        if (arguments.size() > 1) {
          arguments.set(1, Casts.cast(NUMBER, arguments.get(1)));
        }
        if (arguments.size() > 2) {
          arguments.set(2, Casts.cast(type, arguments.get(2)));
        }
      }
      case FIRST_VALUE, LAST_VALUE, NTH_VALUE -> {
        type = type.orNull();
        arguments.set(0, Casts.cast(type, arguments.get(0)));
        if (arguments.size() > 1) {
          arguments.set(1, Casts.cast(NUMBER, arguments.get(1)));
        }
      }
      case NTILE -> type = type.orNull();
      default -> {}
    }
    int slot = aggregate == null ? context.shape().addSlot(type) : aggregate.slot();
    return new WindowCall(function, aggregate, arguments, over.ignoreNulls(), frame, type, slot);
  }

  private static WindowCall.Function function(SqlKind kind) {
    return switch (kind) {
      case ROW_NUMBER -> WindowCall.Function.ROW_NUMBER;
      case RANK -> WindowCall.Function.RANK;
      case DENSE_RANK -> WindowCall.Function.DENSE_RANK;
      case PERCENT_RANK -> WindowCall.Function.PERCENT_RANK;
      case CUME_DIST -> WindowCall.Function.CUME_DIST;
      case NTILE -> WindowCall.Function.NTILE;
      case LAG -> WindowCall.Function.LAG;
      case LEAD -> WindowCall.Function.LEAD;
      case FIRST_VALUE -> WindowCall.Function.FIRST_VALUE;
      case LAST_VALUE -> WindowCall.Function.LAST_VALUE;
      case NTH_VALUE -> WindowCall.Function.NTH_VALUE;
      default -> WindowCall.Function.AGGREGATE;
    };
  }

  private AggregateExpression aggregate(RexOver over, List<Expression> arguments) {
    AggregateExpression.Function function = AggregatePlanner.function(over.getAggOperator());
    if (function == AggregateExpression.Function.LISTAGG) {
      return joining(over, arguments);
    } else if (arguments.size() > 1) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "aggregate function "
              + over.getAggOperator().getName()
              + " is not supported over a window");
    }
    Expression argument = arguments.isEmpty() ? null : arguments.getFirst();
    ColumnType type =
        switch (function) {
          case MIN, MAX, ANY_VALUE, SINGLE_VALUE, BIT_AND, BIT_OR, BIT_XOR ->
              argument.type().orNull();
          case COUNT, SUM0 -> SqlTypes.toColumnType(over.getType());
          default -> SqlTypes.toColumnType(over.getType()).orNull();
        };
    return new AggregateExpression(
        function, argument, over.isDistinct(), null, type, context.shape().addSlot(type));
  }

  private AggregateExpression joining(RexOver over, List<Expression> arguments) {
    ColumnType text = ColumnType.of(Kind.VARCHAR).orNull();
    Expression separator = arguments.size() > 1 ? Casts.assign(text, arguments.get(1)) : null;
    return new AggregateExpression(
        AggregateExpression.Function.LISTAGG,
        Casts.assign(text, arguments.getFirst()),
        over.isDistinct(),
        null,
        text,
        context.shape().addSlot(text),
        new AggregateExpression.Joining(separator, List.of()),
        null);
  }

  private WindowCall.RowFrame frame(RexWindow window, RexTranslator translator) {
    WindowCall.Unit unit = unit(window);
    RexWindow range = unit == WindowCall.Unit.RANGE ? window : null;
    return new WindowCall.RowFrame(
        unit,
        bound(window.getLowerBound(), range, true, translator),
        bound(window.getUpperBound(), range, false, translator),
        switch (window.getExclude()) {
          case EXCLUDE_NO_OTHER -> WindowCall.Exclusion.NOTHING;
          case EXCLUDE_CURRENT_ROW -> WindowCall.Exclusion.CURRENT_ROW;
          case EXCLUDE_GROUP -> WindowCall.Exclusion.GROUP;
          case EXCLUDE_TIES -> WindowCall.Exclusion.TIES;
        });
  }

  private static WindowCall.Unit unit(RexWindow window) {
    if (GroupsOperator.isCounted(window.getLowerBound().getOffset())
        || GroupsOperator.isCounted(window.getUpperBound().getOffset())) {
      return WindowCall.Unit.GROUPS;
    }
    return window.isRows() ? WindowCall.Unit.ROWS : WindowCall.Unit.RANGE;
  }

  /**
   * Plans a frame bound.
   *
   * @param range the window of a RANGE frame; null for ROWS and GROUPS
   */
  private WindowCall.Bound bound(
      RexWindowBound bound, RexWindow range, boolean lower, RexTranslator translator) {
    if (bound.isCurrentRow()) {
      return new WindowCall.Bound(WindowCall.BoundKind.CURRENT_ROW, null, null);
    } else if (bound.isUnbounded()) {
      return new WindowCall.Bound(
          bound.isPreceding()
              ? WindowCall.BoundKind.UNBOUNDED_PRECEDING
              : WindowCall.BoundKind.UNBOUNDED_FOLLOWING,
          null,
          null);
    }
    WindowCall.BoundKind kind =
        bound.isPreceding() ? WindowCall.BoundKind.PRECEDING : WindowCall.BoundKind.FOLLOWING;
    Expression offset = translator.translate(GroupsOperator.count(bound.getOffset()));
    return range == null
        ? new WindowCall.Bound(kind, Casts.cast(NUMBER, offset), null)
        : new WindowCall.Bound(
            kind, offset, reach(range, offset, bound.isPreceding(), lower, translator));
  }

  private WindowCall.Reach reach(
      RexWindow window,
      Expression offset,
      boolean preceding,
      boolean lower,
      RexTranslator translator) {
    RexFieldCollation order = window.orderKeys.getFirst();
    boolean descending = order.getDirection().isDescending();
    boolean less = preceding != descending;
    Expression key = translator.translate(order.left);
    boolean isTime = key.type().kind().isDatetime();
    if (!isTime && !key.type().kind().isNumeric()) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED, "RANGE takes a distance for numbers and times; use ROWS");
    }
    ColumnType type = isTime ? key.type() : common(key.type(), offset.type());
    Expression from = Casts.cast(type, key);
    Expression distance = isTime ? offset : Casts.cast(type, offset);
    Expression limit =
        isTime
            ? DatetimeFunctions.plus(key, offset, less)
            : NumericFunctions.arithmetic(
                less ? ArithmeticOp.MINUS : ArithmeticOp.PLUS, type, from, distance);
    int slot = context.shape().addSlot(type.orNull());
    Expression zero = Expressions.literal(ColumnType.of(Kind.BIGINT), 0L);
    return new WindowCall.Reach(
        key,
        Casts.cast(type.orNull(), limit),
        slot,
        Expressions.compare(
            lower == descending ? CompareOp.LE : CompareOp.GE,
            from,
            Expressions.slot(type.orNull(), slot, "limit")),
        isTime
            ? Expressions.compare(
                CompareOp.LT,
                distance,
                Expressions.literal(distance.type().withNullable(false), 0L))
            : Expressions.compare(CompareOp.LT, distance, Casts.cast(type, zero)));
  }

  private static ColumnType common(ColumnType key, ColumnType offset) {
    if (key.kind().isFloating() || offset.kind().isFloating()) {
      return ColumnType.of(Kind.DOUBLE).orNull();
    }
    if (key.kind() == Kind.NUMERIC || offset.kind() == Kind.NUMERIC) {
      return ColumnType.of(Kind.NUMERIC).orNull();
    }
    return key.kind().isInteger() && offset.kind().isInteger()
        ? ColumnType.of(Kind.BIGINT).orNull()
        : ColumnType.decimal(
                ColumnType.MAX_DECIMAL_PRECISION, Math.max(key.scale(), offset.scale()))
            .orNull();
  }
}
