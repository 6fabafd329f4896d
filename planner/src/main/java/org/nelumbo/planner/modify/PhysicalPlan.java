package org.nelumbo.planner.modify;

import java.util.List;
import org.nelumbo.executor.plan.Plan;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.session.ResultColumn;

/**
 * A planned query or change of rows.
 *
 * @param columns of the result; for changes, what can be read of the rows changed
 * @param tables all tables it touches, whose metadata has to be locked
 * @param target for changes, the table changed; else null
 * @param changesSession whether a query draws or sets numbers of a sequence, or sets a property: it
 *     is run whether anybody reads its rows or not
 * @param usesValues whether it might be another one if all values were known that are given before
 *     it runs
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
