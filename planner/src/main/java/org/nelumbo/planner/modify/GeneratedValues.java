package org.nelumbo.planner.modify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.rex.RexTranslator;
import org.nelumbo.planner.schema.CatalogTable;

/**
 * The generated columns that a change of rows has to compute again, with their expressions over the
 * new row.
 *
 * @param columns ordinals of the assigned columns; the generated ones are last
 * @param values their expressions
 * @param count number of generated columns
 */
record GeneratedValues(int[] columns, Expression[] values, int count) {
  /**
   * Returns the assignments of an UPDATE, extended by the generated columns that depend on them.
   *
   * @param newRow the frame's row with the new image
   */
  static GeneratedValues with(
      PlanContext context, TableEntry table, int newRow, int[] columns, Expression[] values) {
    TableDefinition definition = table.definition();
    if (definition.generated().isEmpty()) {
      return new GeneratedValues(columns, values, 0);
    }
    for (int column : columns) {
      if (definition.generation(column) != null) {
        throw new NelumboException(
            ErrorCode.INVALID_STATEMENT,
            "column "
                + definition.columns().get(column).name()
                + " is generated and cannot be set; set what it is computed from");
      }
    }
    List<Integer> all = new ArrayList<>(Arrays.stream(columns).boxed().toList());
    List<Expression> given = new ArrayList<>(Arrays.asList(values));
    CatalogTable catalogTable = SqlFrontEnd.table(table);
    for (GeneratedDefinition each : definition.generated()) {
      RexNode value = convert(context, catalogTable, each);
      if (dependsOn(value, columns)) {
        all.add(each.column());
        given.add(translate(context, table, newRow, value));
      }
    }
    return new GeneratedValues(
        all.stream().mapToInt(Integer::intValue).toArray(),
        given.toArray(Expression[]::new),
        all.size() - columns.length);
  }

  /**
   * Returns the assignments of an INSERT: the given ordinary columns, then all generated columns.
   */
  static GeneratedValues ofInsert(
      PlanContext context, TableEntry table, int newRow, int[] columns, Expression[] values) {
    TableDefinition definition = table.definition();
    if (definition.generated().isEmpty()) {
      return new GeneratedValues(columns, values, 0);
    }
    List<Integer> all = new ArrayList<>();
    List<Expression> given = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      if (definition.generation(columns[i]) == null) {
        all.add(columns[i]);
        given.add(values[i]);
      }
    }
    CatalogTable catalogTable = SqlFrontEnd.table(table);
    for (GeneratedDefinition each : definition.generated()) {
      all.add(each.column());
      given.add(translate(context, table, newRow, convert(context, catalogTable, each)));
    }
    return new GeneratedValues(
        all.stream().mapToInt(Integer::intValue).toArray(),
        given.toArray(Expression[]::new),
        definition.generated().size());
  }

  private static RexNode convert(
      PlanContext context, CatalogTable table, GeneratedDefinition generated) {
    return context
        .frontEnd()
        .convertExpression(
            SqlParsing.parseExpression(generated.text()),
            table,
            context.state(),
            table.relation().schemaName());
  }

  private static boolean dependsOn(RexNode value, int[] columns) {
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(value);
    return Arrays.stream(columns).anyMatch(used::get);
  }

  private static Expression translate(
      PlanContext context, TableEntry table, int newRow, RexNode value) {
    return new RexTranslator(
            context, ConstraintPlanner.columns(table, newRow, table.columns().size()))
        .translate(value);
  }
}
