package org.nelumbo.planner.schema;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.Wrapper;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.InitializerExpressionFactory;
import org.apache.calcite.util.ImmutableBitSet;
import org.nelumbo.executor.row.Column;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;

/**
 * The Calcite form of a table or system view: visible columns, keys, defaults, and the current size
 * estimate.
 */
public final class CatalogTable implements Table, Wrapper {
  private final Relation relation;
  private RelDataType rowType; // created on demand for system views, because most are never used
  private final List<ImmutableBitSet> keys;
  private final InitializerExpressionFactory defaults;

  public CatalogTable(Relation relation) {
    this.relation = relation;
    this.rowType = relation instanceof TableEntry ? rowType(relation) : null;
    this.keys = keys(relation);
    this.defaults =
        relation instanceof TableEntry table ? new ColumnDefaults(table, rowType) : null;
  }

  private static RelDataType rowType(Relation relation) {
    RelDataTypeFactory.Builder builder = NelumboTypeFactory.INSTANCE.builder();
    for (Column column : relation.columns()) {
      builder.add(column.name(), SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, column.type()));
    }
    return builder.build();
  }

  private static List<ImmutableBitSet> keys(Relation relation) {
    List<ImmutableBitSet> keys = new ArrayList<>();
    if (relation instanceof TableEntry table) {
      TableDefinition definition = table.definition();
      if (definition.hiddenColumn() < 0) {
        keys.add(ImmutableBitSet.of(definition.primaryKey()));
      }
      for (TableDefinition.IndexDefinition index : definition.indexes()) {
        if (index.schema().unique() && allNotNull(table, index.schema().columns())) {
          keys.add(ImmutableBitSet.of(index.schema().columns()));
        }
      }
    }
    return keys;
  }

  private static boolean allNotNull(TableEntry table, int[] columns) {
    for (int column : columns) {
      if (table.definition().columns().get(column).type().nullable()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the table or system view of the catalog. */
  public Relation relation() {
    return relation;
  }

  public RelDataType rowType() {
    RelDataType known = rowType;
    if (known == null) {
      known = rowType(relation);
      rowType = known;
    }
    return known;
  }

  /** Returns the sets of columns whose values are different in all rows. */
  public List<ImmutableBitSet> keys() {
    return keys;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return rowType();
  }

  @Override
  public Statistic getStatistic() {
    return Statistics.of(RowEstimates.of(relation), keys);
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return relation instanceof TableEntry ? Schema.TableType.TABLE : Schema.TableType.SYSTEM_VIEW;
  }

  @Override
  public boolean isRolledUp(String column) {
    return false;
  }

  @Override
  public boolean rolledUpColumnValidInsideAgg(
      String column, SqlCall call, SqlNode parent, CalciteConnectionConfig config) {
    return true;
  }

  @Override
  public <C> C unwrap(Class<C> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    return type.isInstance(defaults) ? type.cast(defaults) : null;
  }
}
