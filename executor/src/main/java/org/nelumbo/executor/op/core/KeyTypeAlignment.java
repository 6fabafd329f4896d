package org.nelumbo.executor.op.core;

import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Casts both sides of an equality to one type, so that equal values have equal bytes. */
public final class KeyTypeAlignment {
  private KeyTypeAlignment() {}

  /** Returns the keys of one side, cast to the common types of both sides. */
  public static Expression[] align(Expression[] keys, Expression[] others) {
    Expression[] aligned = new Expression[keys.length];
    for (int i = 0; i < keys.length; i++) {
      aligned[i] = Casts.cast(common(keys[i], others[i]), keys[i]);
    }
    return aligned;
  }

  private static ColumnType common(Expression a, Expression b) {
    ColumnType x = a.type();
    ColumnType y = b.type();
    if (x.kind().isNumeric() && y.kind().isNumeric()) {
      return commonNumber(x, y);
    } else if (x.kind().isCharacter() && y.kind().isCharacter()) {
      return ColumnType.of(isPadded(a, b) ? Kind.CHAR : Kind.VARCHAR);
    } else if (x.kind().isBinary() && y.kind().isBinary()) {
      return ColumnType.of(Kind.VARBINARY);
    }
    return ColumnType.of(x.kind().ordinal() > y.kind().ordinal() ? x.kind() : y.kind());
  }

  private static boolean isPadded(Expression a, Expression b) {
    boolean left = a.type().kind() == Kind.CHAR;
    boolean right = b.type().kind() == Kind.CHAR;
    return left && right
        || left && !Expressions.comparesAsVarchar(a)
        || right && !Expressions.comparesAsVarchar(b);
  }

  private static ColumnType commonNumber(ColumnType x, ColumnType y) {
    if (x.kind().isFloating() || y.kind().isFloating()) {
      return ColumnType.of(Kind.DOUBLE);
    } else if (x.kind().isInteger() && y.kind().isInteger()) {
      return ColumnType.of(Kind.BIGINT);
    } else if (x.kind() == Kind.NUMERIC || y.kind() == Kind.NUMERIC) {
      return ColumnType.of(Kind.NUMERIC);
    }
    boolean small = x.isLong() && y.isLong() && x.scale() == y.scale() && x.kind() == y.kind();
    int precision = small ? ColumnType.MAX_LONG_PRECISION : ColumnType.MAX_DECIMAL_PRECISION;
    return ColumnType.decimal(precision, Math.max(x.scale(), y.scale()));
  }
}
