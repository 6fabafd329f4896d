package org.nelumbo.planner.frontend;

import java.util.List;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SelectNamespace;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.SqlValidatorTable;
import org.apache.calcite.util.Static;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.parser.dialect.NelumboConformance;

/**
 * Calcite's validator with our rules for parameters and assignments. Values are converted when they
 * are stored, so that a string that is too long is an error there and not cut off; text may be
 * stored in a column of any type if it can be read as such. One statement, one validator.
 */
public final class NelumboValidator extends SqlValidatorImpl {
  private static final Config CONFIG =
      Config.DEFAULT
          .withConformance(NelumboConformance.INSTANCE)
          .withTypeCoercionEnabled(true)
          .withIdentifierExpansion(true)
          .withDefaultNullCollation(NullCollation.LOW);

  /** Of what is done to derive the type of one expression. */
  private static final int DERIVATION_WORK = 8;

  private final ParameterTypes parameters = new ParameterTypes();
  private final StatementLimits limits;
  private SqlKind context;

  NelumboValidator(CalciteCatalogReader reader, StatementLimits limits) {
    super(NelumboOperators.TABLE, reader, NelumboTypeFactory.INSTANCE, CONFIG);
    this.limits = limits;
  }

  @Override
  public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    limits.work(DERIVATION_WORK);
    return super.deriveType(scope, expression);
  }

  @Override
  protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
    if (node instanceof SqlBasicCall call && CoalesceFunction.isMeantBy(call.getOperator())) {
      call.setOperator(CoalesceFunction.INSTANCE);
    }
    return super.performUnconditionalRewrites(node, underFrom);
  }

  /** Nobody asks whether columns are monotonic; to find out takes 2^n for n queries nested. */
  @Override
  protected SelectNamespace createSelectNamespace(SqlSelect select, SqlNode enclosing) {
    return new SelectNamespace(this, select, enclosing) {
      @Override
      public SqlMonotonicity getMonotonicity(String column) {
        return SqlMonotonicity.NOT_MONOTONIC;
      }
    };
  }

  ParameterTypes parameters() {
    return parameters;
  }

  @Override
  public SqlNode validate(SqlNode topNode) {
    DerivedColumnNames.give(topNode);
    return super.validate(topNode);
  }

  @Override
  protected void inferUnknownTypes(
      RelDataType inferredType, SqlValidatorScope scope, SqlNode node) {
    if (node instanceof SqlDynamicParam parameter) {
      inferParameter(inferredType, scope, parameter);
      return;
    } else if (node instanceof SqlNodeList list && isListOfRows(list, inferredType)) {
      for (SqlNode row : list) {
        inferUnknownTypes(inferredType, scope, row);
      }
      return;
    }
    SqlKind outer = context;
    if (node instanceof SqlCall && !node.isA(SqlKind.QUERY)) {
      boolean keeps =
          node.getKind() == SqlKind.ROW && ParameterTypes.isComparison(outer)
              || node.getKind() == SqlKind.AS;
      context = keeps ? outer : node.getKind();
    }
    try {
      super.inferUnknownTypes(inferredType, scope, node);
    } finally {
      context = outer;
    }
  }

  /** The right side of {@code (a, b) IN ((?, ?), (?, ?))}: each element is a row of that type. */
  private static boolean isListOfRows(SqlNodeList list, RelDataType type) {
    return type.isStruct() && list.stream().allMatch(each -> each.getKind() == SqlKind.ROW);
  }

  private void inferParameter(
      RelDataType inferredType, SqlValidatorScope scope, SqlDynamicParam parameter) {
    RelDataType type = inferredType;
    boolean assignment = context == null || context == SqlKind.ROW;
    if (!type.equals(unknownType) && type.getSqlTypeName() != SqlTypeName.NULL) {
      type = ParameterTypes.widen(typeFactory, inferredType, context);
      parameters.record(parameter.getIndex(), type, assignment);
    }
    super.inferUnknownTypes(type, scope, parameter);
  }

  @Override
  protected void checkTypeAssignment(
      SqlValidatorScope sourceScope,
      SqlValidatorTable table,
      RelDataType sourceRowType,
      RelDataType targetRowType,
      SqlNode query) {
    List<RelDataTypeField> targets = targetRowType.getFieldList();
    List<RelDataTypeField> sources = sourceRowType.getFieldList();
    int offset = sources.size() - targets.size();
    for (int i = 0; i < targets.size(); i++) {
      RelDataType target = targets.get(i).getType();
      RelDataTypeField source = sources.get(i + Math.max(0, offset));
      if (!isAssignable(target, source.getType())) {
        throw newValidationError(
            query,
            Static.RESOURCE.typeNotAssignable(
                targets.get(i).getName(),
                target.toString(),
                source.getName(),
                source.getType().toString()));
      }
    }
  }

  /** Whether values of one type can be stored in a column of another. */
  static boolean isAssignable(RelDataType target, RelDataType source) {
    SqlTypeName from = source.getSqlTypeName();
    if (from == SqlTypeName.NULL || from == SqlTypeName.ANY || from == SqlTypeName.UNKNOWN) {
      return true;
    }
    if (SqlTypeUtil.inCharFamily(source) || SqlTypeUtil.inCharFamily(target)) {
      return !SqlTypeUtil.isBinary(source) && !SqlTypeUtil.isBinary(target);
    }
    if (SqlTypeUtil.isNumeric(target)) {
      return SqlTypeUtil.isNumeric(source);
    }
    if (SqlTypeUtil.isBinary(target)) {
      return SqlTypeUtil.isBinary(source);
    }
    if (SqlTypeUtil.isBoolean(target)) {
      return SqlTypeUtil.isBoolean(source);
    }
    return SqlTypeUtil.isDatetime(target)
        && SqlTypeUtil.isDatetime(source)
        && (target.getSqlTypeName() == SqlTypeName.TIME) == (from == SqlTypeName.TIME);
  }
}
