package org.nelumbo.planner.access;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.frontend.SqlFrontEnd;
import org.nelumbo.planner.rex.Conjuncts;

/**
 * A table scan under filters and projections of plain columns, which can therefore be read by key.
 *
 * @param scan identifies the scan within its statement: a node of the relational tree, or any
 *     object if the statement has no tree
 * @param fields for each field of the relation, the column of the table
 * @param filters conditions over the columns of the table
 */
public record ScanPattern(
    Object scan, TableEntry entry, List<RexInputRef> fields, List<RexNode> filters) {

  /** Matches a relation against this pattern; returns null if it does not match. */
  public static ScanPattern of(RelNode node) {
    return switch (node) {
      case TableScan scan -> ofScan(scan);
      case Filter filter -> ofFilter(filter);
      case Project project -> ofProject(project);
      default -> null;
    };
  }

  private static ScanPattern ofScan(TableScan scan) {
    return SqlFrontEnd.table(scan.getTable()).relation() instanceof TableEntry entry
        ? ofTable(scan, entry, scan.getRowType())
        : null;
  }

  /** Returns the pattern of a scan of all columns. */
  public static ScanPattern ofTable(Object scan, TableEntry entry, RelDataType rowType) {
    List<RexInputRef> fields = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      fields.add(new RexInputRef(field.getIndex(), field.getType()));
    }
    return new ScanPattern(scan, entry, fields, List.of());
  }

  private static ScanPattern ofFilter(Filter filter) {
    ScanPattern input = of(filter.getInput());
    if (input == null || Conjuncts.hasSubQuery(filter.getCondition())) {
      return null;
    }
    List<RexNode> filters = new ArrayList<>(input.filters);
    for (RexNode conjunct : Conjuncts.of(filter.getCondition())) {
      filters.add(Conjuncts.substitute(conjunct, input.fields));
    }
    return new ScanPattern(input.scan, input.entry, input.fields, filters);
  }

  private static ScanPattern ofProject(Project project) {
    ScanPattern input = of(project.getInput());
    if (input == null) {
      return null;
    }
    List<RexInputRef> fields = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      if (!(expression instanceof RexInputRef reference)) {
        return null;
      }
      fields.add(input.fields.get(reference.getIndex()));
    }
    return new ScanPattern(input.scan, input.entry, fields, input.filters);
  }

  /**
   * Returns the join conditions and the filters, over the left fields followed by the columns of
   * the table.
   *
   * @param on join conditions, over the left fields followed by the fields of this relation
   */
  public List<RexNode> conditions(List<RexNode> on, int leftCount) {
    List<RexNode> conditions = new ArrayList<>();
    for (RexNode conjunct : on) {
      conditions.add(
          conjunct.accept(
              new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef reference) {
                  int index = reference.getIndex();
                  return index < leftCount
                      ? reference
                      : RexUtil.shift(fields.get(index - leftCount), leftCount);
                }
              }));
    }
    filters.forEach(filter -> conditions.add(RexUtil.shift(filter, leftCount)));
    return conditions;
  }

  /** Selects the columns of the relation from the columns of the table. */
  public List<Expression> columns(List<Expression> table) {
    List<Expression> columns = new ArrayList<>();
    fields.forEach(field -> columns.add(table.get(field.getIndex())));
    return columns;
  }
}
