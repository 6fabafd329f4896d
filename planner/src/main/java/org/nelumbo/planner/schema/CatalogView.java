package org.nelumbo.planner.schema;

import java.util.List;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.TranslatableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.ViewEntry;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;

/** The Calcite form of a view, which is replaced by its query. */
public final class CatalogView extends AbstractTable implements TranslatableTable {
  private final ViewEntry view;
  private final RelDataType rowType;

  CatalogView(ViewEntry view) {
    this.view = view;
    RelDataTypeFactory.Builder builder = NelumboTypeFactory.INSTANCE.builder();
    for (Column column : view.columns()) {
      builder.add(column.name(), SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, column.type()));
    }
    this.rowType = builder.build();
  }

  public ViewEntry view() {
    return view;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return rowType;
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.VIEW;
  }

  @Override
  public RelNode toRel(RelOptTable.ToRelContext context, RelOptTable table) {
    RelNode query =
        context
            .expandView(
                rowType, view.text(), List.of(view.path()), List.of(view.schemaName(), view.name()))
            .project();
    return SqlTypes.areEqual(query.getRowType(), rowType)
        ? query
        : RelOptUtil.createCastRel(query, rowType, true);
  }
}
