package org.nelumbo.planner.access;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.rex.Conjuncts;
import org.nelumbo.planner.rex.PlanContext;
import org.nelumbo.planner.schema.CatalogTable;

/**
 * Converts the hidden columns of a table, which hold the values of index expressions, into
 * expressions over the fields of a table access.
 */
final class IndexExpressions {
  private IndexExpressions() {}

  /**
   * A hidden column.
   *
   * @param column its ordinal
   * @param key the expression whose values it holds
   * @param condition conjuncts that hold for the rows with a value; the column is NULL in all
   *     others
   */
  record Term(int column, RexNode key, List<RexNode> condition) {}

  /**
   * Returns the hidden columns of a table.
   *
   * @param first field of the table's column 0
   */
  static List<Term> of(PlanContext context, TableEntry table, int first) {
    TableDefinition definition = table.definition();
    List<Term> terms = new ArrayList<>();
    if (!definition.hasIndexExpressions()) {
      return terms;
    }
    CatalogTable catalogTable = SqlFrontEnd.table(table);
    for (IndexDefinition index : definition.indexes()) {
      for (int i = 0; i < index.keys().size(); i++) {
        int column = index.schema().columns()[i];
        if (column >= definition.visibleColumns()) {
          List<RexNode> condition =
              i > 0 || index.condition() == null
                  ? List.of()
                  : Conjuncts.of(convert(context, catalogTable, index.condition(), first));
          RexNode key = convert(context, catalogTable, index.keys().get(i), first);
          terms.add(new Term(column, key, condition));
        }
      }
    }
    return terms;
  }

  private static RexNode convert(PlanContext context, CatalogTable table, String text, int first) {
    RexNode converted =
        context
            .frontEnd()
            .convertExpression(
                SqlParsing.parseExpression(text),
                table,
                context.state(),
                table.relation().schemaName());
    return RexUtil.shift(converted, first);
  }
}
