package org.nelumbo.parser;

import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;

/** Compares syntax trees, including the positions of all nodes. */
final class TreeDifference {
  private TreeDifference() {}

  /** Returns the first difference between two trees, or null if there is none. */
  static String of(SqlNode one, SqlNode other) {
    if (one == null || other == null) {
      return one == other ? null : one + " and " + other;
    }
    String found = differ("kind of node", one.getClass(), other.getClass());
    found = found != null ? found : ofPlaces(one.getParserPosition(), other.getParserPosition());
    if (found != null) {
      return one + ": " + found;
    }
    return switch (one) {
      case SqlNodeList list -> ofLists(list, (SqlNodeList) other);
      case SqlIdentifier name -> ofNames(name, (SqlIdentifier) other);
      case SqlLiteral literal -> ofLiterals(literal, (SqlLiteral) other);
      case SqlDataTypeSpec type -> ofTypes(type, (SqlDataTypeSpec) other);
      case SqlDynamicParam marker ->
          differ("marker", marker.getIndex(), ((SqlDynamicParam) other).getIndex());
      case SqlCall call -> ofCalls(call, (SqlCall) other);
      default -> "unknown " + one.getClass();
    };
  }

  private static String differ(String what, Object one, Object other) {
    return Objects.equals(one, other) ? null : what + ": " + one + " and " + other;
  }

  private static String ofPlaces(SqlParserPos one, SqlParserPos other) {
    return differ("place", shown(one), shown(other));
  }

  private static String shown(SqlParserPos position) {
    return "%d:%d to %d:%d quoted %b"
        .formatted(
            position.getLineNum(),
            position.getColumnNum(),
            position.getEndLineNum(),
            position.getEndColumnNum(),
            position.isQuoted());
  }

  private static String ofLists(SqlNodeList one, SqlNodeList other) {
    String found = differ("length of " + one, one.size(), other.size());
    for (int i = 0; found == null && i < one.size(); i++) {
      found = of(one.get(i), other.get(i));
    }
    return found;
  }

  private static String ofNames(SqlIdentifier one, SqlIdentifier other) {
    String found = differ("name", one.names, other.names);
    for (int i = 0; found == null && i < one.names.size(); i++) {
      found = ofPlaces(one.getComponentParserPosition(i), other.getComponentParserPosition(i));
    }
    return found;
  }

  private static String ofLiterals(SqlLiteral one, SqlLiteral other) {
    String found = differ("value", one.getValue(), other.getValue());
    found = found != null ? found : differ("type", one.getTypeName(), other.getTypeName());
    if (found == null && one instanceof SqlNumericLiteral number) {
      SqlNumericLiteral otherNumber = (SqlNumericLiteral) other;
      found = differ("digits", number.getPrec(), otherNumber.getPrec());
      found = found != null ? found : differ("scale", number.getScale(), otherNumber.getScale());
    }
    return found;
  }

  private static String ofTypes(SqlDataTypeSpec one, SqlDataTypeSpec other) {
    SqlTypeNameSpec name = one.getTypeNameSpec();
    SqlTypeNameSpec otherName = other.getTypeNameSpec();
    String found = differ("kind of type", name.getClass(), otherName.getClass());
    found = found != null ? found : differ("nullable", one.getNullable(), other.getNullable());
    found = found != null ? found : ofPlaces(name.getParserPos(), otherName.getParserPos());
    return found != null || name.equalsDeep(otherName, Litmus.IGNORE)
        ? found
        : "type: " + one + " and " + other;
  }

  private static String ofCalls(SqlCall one, SqlCall other) {
    String found = ofOperators(one.getOperator(), other.getOperator());
    found = found != null ? found : of(one.getFunctionQuantifier(), other.getFunctionQuantifier());
    found = found != null ? found : differ("operands", one.operandCount(), other.operandCount());
    for (int i = 0; found == null && i < one.operandCount(); i++) {
      found = of(one.operand(i), other.operand(i));
    }
    return found;
  }

  private static String ofOperators(SqlOperator one, SqlOperator other) {
    if (one instanceof SqlUnresolvedFunction function
        && other instanceof SqlUnresolvedFunction otherFunction) {
      String found =
          differ("category", function.getFunctionType(), otherFunction.getFunctionType());
      return found != null
          ? found
          : of(function.getSqlIdentifier(), otherFunction.getSqlIdentifier());
    }
    return one.equals(other) ? null : "operator: " + one + " and " + other;
  }
}
