package org.nelumbo.planner.plain;

import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.session.ParameterInfo;

/**
 * A query that needs no relational tree: a selection of columns from joined tables.
 *
 * @param tables the tables of FROM; a row has the fields of all of them
 * @param on conditions of the joins over these fields
 * @param where conditions of WHERE over these fields
 * @param grouping the groups and aggregate functions; null if there are none
 * @param columns expressions over the fields or, if there is a grouping, over its results
 * @param distinct whether duplicates are removed
 * @param order order of the rows, by columns
 * @param offset number of rows to skip; null for none
 * @param fetch number of rows of the result; null for all
 * @param fields names and types of the columns
 * @param origins for each column its catalog, schema, table and column; null if it is computed
 * @param parameters the parameters of the statement
 */
public record TableQuery(
    List<CatalogTable> tables,
    List<RexNode> on,
    List<RexNode> where,
    Grouping grouping,
    List<RexNode> columns,
    boolean distinct,
    RelCollation order,
    RexNode offset,
    RexNode fetch,
    List<RelDataTypeField> fields,
    List<List<String>> origins,
    List<ParameterInfo> parameters) {
  /**
   * Groups of rows. Its results are the group columns, followed by those of the calls.
   *
   * @param inputs expressions over the fields of all tables: the group columns and the arguments
   * @param groups number of group columns
   * @param calls aggregate functions of the inputs
   * @param having conditions over the results
   */
  public record Grouping(
      List<RexNode> inputs, int groups, List<AggregateCall> calls, List<RexNode> having) {}
}
