package org.nelumbo.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * GENERATE_SERIES(first, last [, step]) in FROM: a table of one column of integers, or of times
 * with an interval as the step.
 */
public final class SeriesFunction extends SqlFunction implements SqlTableFunction {
  public static final SeriesFunction INSTANCE = new SeriesFunction();

  public static final String NAME = "GENERATE_SERIES";

  private SeriesFunction() {
    super(
        NAME,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.CURSOR,
        InferTypes.FIRST_KNOWN,
        OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER)
            .or(
                OperandTypes.family(
                    SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER))
            .or(
                OperandTypes.family(
                    SqlTypeFamily.DATETIME,
                    SqlTypeFamily.DATETIME,
                    SqlTypeFamily.DATETIME_INTERVAL)),
        SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION);
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return SeriesFunction::rowType;
  }

  private static RelDataType rowType(SqlOperatorBinding binding) {
    RelDataTypeFactory types = binding.getTypeFactory();
    RelDataType common = types.leastRestrictive(binding.collectOperandTypes().subList(0, 2));
    RelDataType type =
        common.getSqlTypeName() == SqlTypeName.DATE
            ? types.createSqlType(SqlTypeName.TIMESTAMP, 6)
            : common;
    return types.builder().add(NAME, type).nullable(false).build();
  }

  /**
   * Rewrites {@code SELECT GENERATE_SERIES(...)} as {@code SELECT n FROM GENERATE_SERIES(...) AS n
   * (n)}.
   */
  public static void moveToFrom(SqlSelect select) {
    if (select.getFrom() != null || select.getSelectList().size() != 1) {
      return;
    }
    SqlNode item = select.getSelectList().get(0);
    boolean isNamed = item.getKind() == SqlKind.AS;
    SqlNode function = isNamed ? ((SqlCall) item).operand(0) : item;
    if (!(function instanceof SqlCall call)
        || !call.getOperator().getName().equalsIgnoreCase(NAME)) {
      return;
    }
    SqlParserPos pos = item.getParserPosition();
    String name = isNamed ? ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple() : NAME;
    SqlIdentifier column = new SqlIdentifier(name, pos);
    SqlNode table =
        SqlStdOperatorTable.COLLECTION_TABLE.createCall(
            pos, INSTANCE.createCall(pos, call.getOperandList()));
    select.setFrom(SqlStdOperatorTable.AS.createCall(pos, table, column, column));
    select.setSelectList(SqlNodeList.of(column));
  }
}
