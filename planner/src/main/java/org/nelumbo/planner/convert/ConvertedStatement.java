package org.nelumbo.planner.convert;

import java.util.List;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlTableRef;
import org.nelumbo.parser.ast.SubQueryLocks;
import org.nelumbo.session.ParameterInfo;

/**
 * A validated statement as a relational tree.
 *
 * @param root the relational tree
 * @param parameters the parameter markers in order
 * @param origins for each field of a query, its catalog, schema, table and column; null if it is
 *     computed
 * @param rowType names and types of the fields as validated; null if the statement is not a query
 * @param lockedTables tables of subqueries whose rows are locked, see {@link SubQueryLocks}
 * @param namesQueries whether it references queries of WITH, see {@link SharedQueryNode}
 */
public record ConvertedStatement(
    RelRoot root,
    List<ParameterInfo> parameters,
    List<List<String>> origins,
    RelDataType rowType,
    List<SqlTableRef> lockedTables,
    boolean namesQueries) {}
