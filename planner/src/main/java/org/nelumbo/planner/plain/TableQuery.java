package org.nelumbo.planner.plain;

import java.util.List;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.ParameterInfo;

/**
 * A query of one table that needs no relational tree.
 *
 * @param condition condition over the table's fields; TRUE if there is none
 * @param columns expressions over the table's fields
 * @param order order of the rows, by columns
 * @param fields names and types of the columns
 * @param origins for each column its catalog, schema, table and column; null if it is computed
 * @param parameters the parameters of the statement
 */
public record TableQuery(
    TableEntry table,
    RexNode condition,
    List<RexNode> columns,
    RelCollation order,
    List<RelDataTypeField> fields,
    List<List<String>> origins,
    List<ParameterInfo> parameters) {}
