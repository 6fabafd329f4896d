package org.nelumbo.planner.plain;

import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The parameters of a statement on the fast path: markers and parameterized literals, with their
 * types. They are recorded only if the whole statement is supported.
 */
final class PlainParameters {
  private final ParameterTypes types;
  private final SortedMap<Integer, Marker> markers = new TreeMap<>();
  private final SortedMap<Integer, ParameterizedLiteral> literals = new TreeMap<>();

  private record Marker(RelDataType type, boolean isStored) {}

  PlainParameters(ParameterTypes types) {
    this.types = types;
  }

  /** Returns true for a parameter marker that a user has written. */
  static boolean isMarker(SqlNode node) {
    return node instanceof SqlDynamicParam && !(node instanceof ParameterizedLiteral);
  }

  RexNode literal(RexBuilder rex, ParameterizedLiteral literal) {
    literals.put(literal.getIndex(), literal);
    return rex.makeDynamicParam(literal.type(rex.getTypeFactory()), literal.getIndex());
  }

  /** Returns a marker that is stored in a column; null if the type of a value is supplied. */
  RexNode stored(RexBuilder rex, SqlNode marker, RelDataType column) {
    return marker(rex, marker, ParameterTypes.stored(rex.getTypeFactory(), column), true);
  }

  /**
   * Returns a marker that is compared with a value of a type; null if the node is none, or if the
   * type is not supported.
   */
  RexNode compared(RexBuilder rex, SqlNode marker, RelDataType value, SqlKind kind) {
    RelDataType type = ParameterTypes.compared(rex.getTypeFactory(), value, kind);
    boolean isDecimal = type.getSqlTypeName() == SqlTypeName.DECIMAL;
    if (isDecimal && digits(value) > digits(type)) {
      return null; // a common type would have fewer decimals than the marker
    }
    return switch (value.getSqlTypeName()) {
      case TINYINT,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          REAL,
          FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          BOOLEAN,
          DATE,
          TIMESTAMP,
          UUID ->
          marker(rex, marker, type, false);
      default -> null;
    };
  }

  private static int digits(RelDataType decimal) {
    return decimal.getPrecision() - decimal.getScale();
  }

  private RexNode marker(RexBuilder rex, SqlNode node, RelDataType type, boolean isStored) {
    RelDataTypeFactory factory = rex.getTypeFactory();
    if (!isMarker(node)) {
      return null;
    }
    int index = ((SqlDynamicParam) node).getIndex();
    if (types.given(factory, index) != null) {
      return null;
    }
    RelDataType nullable = factory.createTypeWithNullability(type, true);
    markers.put(index, new Marker(nullable, isStored));
    return rex.makeDynamicParam(nullable, index);
  }

  /** Records the types of all parameters; returns false if there are other ones. */
  boolean record(RelDataTypeFactory factory, int count) {
    if (markers.size() + literals.size() < count) {
      return false;
    }
    markers.forEach((index, marker) -> types.record(index, marker.type, marker.isStored, false));
    literals.values().forEach(literal -> types.record(literal, literal.type(factory)));
    return true;
  }
}
