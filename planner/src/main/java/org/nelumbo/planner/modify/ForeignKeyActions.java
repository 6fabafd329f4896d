package org.nelumbo.planner.modify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.modify.ForeignKeyAction;
import org.nelumbo.executor.op.modify.RowConstraint;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.types.ColumnType;

/**
 * Plans the ON DELETE and ON UPDATE actions on rows that refer to a deleted or updated row. The
 * rows of a table that are changed in the same way share one row of the frame. So cyclic actions
 * are possible, and the actions that follow are planned once.
 */
final class ForeignKeyActions {
  private final PlanContext context;
  private final ConstraintPlanner constraints;
  private final Map<String, Changed> changes = new HashMap<>();

  private record Changed(int row, int newRow, List<RowConstraint> following) {}

  ForeignKeyActions(PlanContext context, ConstraintPlanner constraints) {
    this.context = context;
    this.constraints = constraints;
  }

  /** Returns true if the action is a check only: no row may refer to the deleted one. */
  boolean isPlain(ReferentialAction action) {
    return action == ReferentialAction.NO_ACTION || action == ReferentialAction.RESTRICT;
  }

  /**
   * Plans the action of a foreign key when a referenced row is deleted or its key is updated.
   *
   * @param oldRow the frame's row with the old image
   * @param newRow the frame's row with the new image; null for a DELETE
   */
  RowConstraint action(
      TableEntry table, TableEntry child, ForeignKeyDefinition key, int oldRow, Integer newRow) {
    context.use(child);
    Expression[] keys = ConstraintPlanner.columns(table, oldRow, key.referencedColumns());
    Expression[] newValues = null;
    int[] newSlots = null;
    Expression[] taken = null;
    if (newRow != null) {
      newValues = ConstraintPlanner.columns(table, newRow, key.referencedColumns());
      keys = ConstraintPlanner.ifChanged(keys, newValues);
      newSlots = slots(newValues);
      taken = values(newValues, newSlots);
    }
    int[] keySlots = slots(keys);
    ReferentialAction action = key.action(newRow != null);
    boolean deletes = action == ReferentialAction.CASCADE && newRow == null;
    Changed changed = deletes ? deleted(child) : updated(child, key.columns());
    Operator probe = constraints.all(child, changed.row, key.columns(), values(keys, keySlots));
    int[] columns = deletes ? new int[0] : key.columns();
    Expression[] set =
        deletes
            ? new Expression[0]
            : action == ReferentialAction.CASCADE ? taken : replacements(child, columns, action);
    GeneratedValues all =
        deletes
            ? new GeneratedValues(columns, set, 0)
            : GeneratedValues.with(context, child, changed.newRow, columns, set);
    return new ForeignKeyAction(
        new ForeignKeyAction.Definition(
            keys,
            newValues,
            keySlots,
            newSlots,
            child.store(),
            changed.row,
            changed.newRow,
            all.columns(),
            all.values(),
            all.count()),
        probe,
        changed.following);
  }

  private int[] slots(Expression[] values) {
    return Arrays.stream(values).mapToInt(value -> context.shape().addSlot(value.type())).toArray();
  }

  private static Expression[] values(Expression[] values, int[] slots) {
    Expression[] taken = new Expression[values.length];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = Expressions.slot(values[i].type(), slots[i], values[i].toString());
    }
    return taken;
  }

  private Changed deleted(TableEntry child) {
    Changed known = changes.get(child.id() + " DELETE");
    if (known == null) {
      known = new Changed(context.shape().addRow(), -1, new ArrayList<>());
      changes.put(child.id() + " DELETE", known);
      known.following.addAll(constraints.forDelete(child, known.row, KnownColumnValues.NONE));
    }
    return known;
  }

  private Changed updated(TableEntry child, int[] columns) {
    String name = child.id() + " UPDATE " + Arrays.toString(columns);
    Changed known = changes.get(name);
    if (known == null) {
      known = new Changed(context.shape().addRow(), context.shape().addRow(), new ArrayList<>());
      changes.put(name, known);
      Expression[] unknown = new Expression[columns.length];
      GeneratedValues all = GeneratedValues.with(context, child, known.newRow, columns, unknown);
      known.following.addAll(
          constraints.forWrite(
              child,
              SqlFrontEnd.table(child),
              known.newRow,
              known.row,
              all.columns(),
              KnownColumnValues.NONE));
    }
    return known;
  }

  private Expression[] replacements(TableEntry child, int[] columns, ReferentialAction action) {
    Expression[] values = new Expression[columns.length];
    for (int i = 0; i < values.length; i++) {
      Column column = child.columns().get(columns[i]);
      ColumnType type = column.type().orNull();
      values[i] =
          action == ReferentialAction.SET_NULL || column.defaultText() == null
              ? Expressions.nullOf(type)
              : new RexTranslator(context, List.of())
                  .translate(
                      context
                          .frontEnd()
                          .convertConstant(
                              SqlParsing.parseExpression(column.defaultText()),
                              context.state(),
                              context.schema()));
    }
    return values;
  }
}
