package org.nelumbo.planner.validate;

import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.function.AddedFunctions;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.types.DatetimeText;

/**
 * Checks the expression of a generated column: it must have one value per row, no matter when and
 * in which session it is computed.
 */
public final class RepeatableExpression extends SqlBasicVisitor<Void> {
  private final NelumboValidator validator;
  private final Set<String> columns;
  private final String what;

  /**
   * Creates the check of a validated expression.
   *
   * @param columns names of the columns that it may use
   * @param what the computed object, for messages
   */
  public RepeatableExpression(NelumboValidator validator, Set<String> columns, String what) {
    this.validator = validator;
    this.columns = columns;
    this.what = what;
  }

  /** Rejects the storing of a value whose conversion depends on the session's time zone. */
  public void checkStored(RelDataType column, RelDataType value, SqlNode node) {
    if (isInstant(column) != isInstant(value) && value.getSqlTypeName() != SqlTypeName.NULL) {
      throw ofZone(node);
    }
  }

  /** Rejects queries in an expression that has not been validated. */
  public void refuseQueries(SqlNode expression) {
    expression.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call.isA(SqlKind.QUERY)) {
              throw refused(call, "queries");
            }
            return super.visit(call);
          }
        });
  }

  private NelumboException refused(SqlCall call, String reason) {
    return SqlErrors.at(
        ErrorCode.UNSUPPORTED,
        what
            + " is computed from the columns of its row only, without "
            + reason
            + "; use a DEFAULT, or a view",
        call.getParserPosition());
  }

  @Override
  public Void visit(SqlIdentifier name) {
    boolean column = name.isSimple() && columns.contains(name.getSimple());
    SqlCall call = column ? null : validator.makeNullaryCall(name);
    return call == null ? null : visit(call);
  }

  @Override
  public Void visit(SqlCall call) {
    SqlOperator operator = call.getOperator();
    boolean repeatable = operator.isDeterministic() && !operator.isDynamicFunction();
    if (call.isA(SqlKind.QUERY) || !repeatable) {
      throw refused(call, repeatable ? "queries" : operator.getName());
    } else if (!operator.equals(AddedFunctions.AT_ZONE) && needsZone(call)) {
      throw ofZone(call);
    }
    return super.visit(call);
  }

  @Override
  public Void visit(SqlDynamicParam parameter) {
    throw SqlErrors.at(
        ErrorCode.UNSUPPORTED,
        what + " takes no parameters; write the value",
        parameter.getParserPosition());
  }

  /** The call has an instant, and is not a comparison or choice among instants. */
  private boolean needsZone(SqlCall call) {
    if (namesZone(call)) {
      return false;
    }
    boolean instants = isInstant(type(call));
    boolean others =
        isOther(type(call)) || call.getKind() == SqlKind.FLOOR || call.getKind() == SqlKind.CEIL;
    for (SqlNode operand : call.getOperandList()) {
      instants |= isInstant(type(operand));
      others |= isOther(type(operand));
    }
    return instants && others;
  }

  private boolean namesZone(SqlCall call) {
    if (call.getKind() != SqlKind.CAST
        || !isInstant(type(call))
        || !(call.operand(0) instanceof SqlCharStringLiteral text)) {
      return false;
    }
    try {
      DatetimeText.parseInstant(text.getValueAs(String.class));
      return true;
    } catch (NelumboException e) {
      return false;
    }
  }

  private RelDataType type(SqlNode part) {
    return part == null ? null : validator.getValidatedNodeTypeIfKnown(part);
  }

  private static boolean isInstant(RelDataType type) {
    return type != null && type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static boolean isOther(RelDataType type) {
    return type != null
        && !isInstant(type)
        && type.getSqlTypeName() != SqlTypeName.BOOLEAN
        && type.getSqlTypeName() != SqlTypeName.NULL;
  }

  private NelumboException ofZone(SqlNode node) {
    return SqlErrors.at(
        ErrorCode.UNSUPPORTED,
        what
            + " does not depend on the time zone of a session; name the zone, as in"
            + " ts AT TIME ZONE 'UTC'",
        node.getParserPosition());
  }
}
