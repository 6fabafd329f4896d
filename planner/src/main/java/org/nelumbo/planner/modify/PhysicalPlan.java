package org.nelumbo.planner.modify;

import java.util.List;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.ResultColumn;

/**
 * A planned query or change of rows.
 *
 * @param columns columns of the result; for changes, the readable columns of the changed rows
 * @param tables all tables that the plan uses, whose metadata has to be locked
 * @param target for changes, the changed table; else null
 * @param changesSession whether a query draws or sets sequence numbers, or sets a property. Such a
 *     query runs even if its rows are not read
 * @param usesValues whether the plan might differ if all values that are given before it runs were
 *     known
 */
public record PhysicalPlan(
    Plan plan,
    List<ResultColumn> columns,
    List<ParameterInfo> parameters,
    List<TableEntry> tables,
    TableEntry target,
    boolean changesSession,
    boolean usesValues) {
  public PhysicalPlan {
    columns = List.copyOf(columns);
    parameters = List.copyOf(parameters);
    tables = List.copyOf(tables);
  }
}
