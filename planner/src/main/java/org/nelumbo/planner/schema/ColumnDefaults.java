package org.nelumbo.planner.schema;

import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.InitializerContext;
import org.apache.calcite.sql2rel.NullInitializerExpressionFactory;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * Provides the default values of columns that an INSERT omits. Defaults are stored as SQL text and
 * parsed when they are needed.
 */
final class ColumnDefaults extends NullInitializerExpressionFactory {
  private final TableEntry table;
  private final RelDataType rowType;

  ColumnDefaults(TableEntry table, RelDataType rowType) {
    this.table = table;
    this.rowType = rowType;
  }

  @Override
  public ColumnStrategy generationStrategy(RelOptTable ignored, int column) {
    Column definition = table.columns().get(column);
    if (definition.identity()
        || definition.defaultText() != null
        || table.definition().generation(column) != null) {
      return ColumnStrategy.DEFAULT;
    }
    return definition.type().nullable() ? ColumnStrategy.NULLABLE : ColumnStrategy.NOT_NULLABLE;
  }

  @Override
  public RexNode newColumnDefaultValue(RelOptTable target, int column, InitializerContext context) {
    Column definition = table.columns().get(column);
    RelDataType type = rowType.getFieldList().get(column).getType();
    if (definition.identity()) {
      return context.getRexBuilder().makeCall(type, new NextIdentity(column), List.of());
    }
    if (table.definition().generation(column) != null) {
      return context.getRexBuilder().makeCall(type, GeneratedValue.INSTANCE, List.of());
    }
    if (definition.defaultText() == null) {
      return context.getRexBuilder().makeNullLiteral(type);
    }
    SqlNode parsed = SqlParsing.parseExpression(definition.defaultText());
    // The validator of the statement is used, so that it records the types of all parts. The
    // context's own validator supports only Calcite's functions.
    SqlValidator validator = ((SqlRexContext) context).getValidator();
    SqlNode validated = validator.validateParameterizedExpression(parsed, Map.of());
    validator.getValidatedNodeType(validated); // resolves the functions
    return context.convertExpression(validated);
  }
}
