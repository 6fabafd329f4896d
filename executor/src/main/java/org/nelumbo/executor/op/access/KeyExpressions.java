package org.nelumbo.executor.op.access;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.Ranges;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;
import org.nelumbo.types.TimeUnit;

/**
 * Expressions whose values become the first columns of a key. An expression may have another number
 * type than its column, or be a TIMESTAMP for a DATE column. The value is converted exactly to the
 * column's type; if that is impossible, a code tells its position relative to the values of that
 * type. A null expression stands for IS NULL. Stateless.
 */
public final class KeyExpressions {
  /** The key column equals the value. */
  public static final int EXACT = 0;

  /** The key column was set to the next smaller value of its type. */
  public static final int ROUNDED_DOWN = 1;

  /** The value is less than all values of the column's type; nothing was appended. */
  public static final int BELOW = 2;

  /** The value is greater than all values of the column's type; nothing was appended. */
  public static final int ABOVE = 3;

  /** The value is NULL; nothing was appended. */
  public static final int NULL = 4;

  private static final long MICROS_PER_DAY = TimeUnit.DAY.micros();

  private final KeyFormat format;
  private final Expression[] expressions;
  private final boolean given;

  public KeyExpressions(KeyFormat format, Expression[] expressions) {
    this.format = format;
    this.expressions = expressions;
    this.given = Arrays.stream(expressions).allMatch(Expressions::isGiven);
    for (int i = 0; i < expressions.length; i++) {
      if (expressions[i] != null && !isUsable(format.type(i), expressions[i])) {
        throw new IllegalArgumentException(
            "no key value for " + format.type(i).sqlName() + " expression=" + expressions[i]);
      }
    }
  }

  /**
   * Returns true if {@code column = expression} can be decided by looking up the value as a key.
   */
  public static boolean isUsable(ColumnType column, Expression expression) {
    ColumnType type = expression.type();
    Kind key = column.kind();
    Kind value = type.kind();
    if (key.isFloating()) {
      return value.isFloating();
    } else if (key.isNumeric()) {
      return value.isNumeric() && !value.isFloating();
    } else if (key == Kind.CHAR) {
      return value.isCharacter();
    } else if (key == Kind.VARCHAR) {
      return value == Kind.VARCHAR
          || (value == Kind.CHAR && Expressions.comparesAsVarchar(expression));
    }
    return key.isBinary() ? value.isBinary() : key == value || isDayOf(key, value);
  }

  private static boolean isDayOf(Kind key, Kind value) {
    return key == Kind.DATE && value == Kind.TIMESTAMP;
  }

  /** Returns true if the values are known before the statement runs. */
  boolean isGiven() {
    return given;
  }

  int size() {
    return expressions.length;
  }

  Expression expression(int position) {
    return expressions[position];
  }

  /** Appends all values for an equality (null: IS NULL). Returns false if no row can be equal. */
  public boolean appendAll(Frame frame, KeyBuffer key) {
    for (int i = 0; i < expressions.length; i++) {
      if (expressions[i] == null) {
        if (!format.type(i).nullable()) {
          return false;
        }
        format.appendNull(key, i);
      } else if (append(format, i, expressions[i], frame, key) != EXACT) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets {@code key} to the primary key of {@code table} that consists of these values. Returns
   * false if the values are not known before the statement runs, or if no row can have this key.
   */
  public boolean makeGivenKey(TableStore table, Frame frame, KeyBuffer key) {
    if (!given) {
      return false;
    }
    key.clear();
    boolean possible = appendAll(frame, key);
    if (possible) {
      table.layout().finishKey(key);
    }
    return possible;
  }

  /**
   * Appends one value and returns the code of its position: EXACT, ROUNDED_DOWN, BELOW, ABOVE or
   * NULL.
   */
  public static int append(
      KeyFormat format, int position, Expression expression, Frame frame, KeyBuffer key) {
    ColumnType column = format.type(position);
    ColumnType type = expression.type();
    if (type.isLong()) {
      long raw = expression.evalLong(frame);
      if (frame.takeNull()) {
        return NULL;
      } else if (isDayOf(column.kind(), type.kind())) {
        return appendDay(format, position, raw, key);
      }
      boolean direct = column.isLong() && type.scale() == column.scale();
      if (!direct) {
        return appendExact(format, position, BigDecimal.valueOf(raw, type.scale()), key);
      }
      return column.kind() == Kind.REAL
          ? appendReal(format, position, raw, key)
          : appendLong(format, position, raw, key);
    }
    Object raw = expression.evalObject(frame);
    if (raw == null) {
      return NULL;
    } else if (raw instanceof BigDecimal number) {
      return appendExact(format, position, number, key);
    }
    format.appendObject(key, position, raw);
    return EXACT;
  }

  private static int appendLong(KeyFormat format, int position, long raw, KeyBuffer key) {
    if (!Ranges.fits(format.type(position), raw)) {
      return raw < 0 ? BELOW : ABOVE;
    }
    format.appendLong(key, position, raw);
    return EXACT;
  }

  private static int appendDay(KeyFormat format, int position, long micros, KeyBuffer key) {
    int how = appendLong(format, position, Math.floorDiv(micros, MICROS_PER_DAY), key);
    boolean wholeDay = Math.floorMod(micros, MICROS_PER_DAY) == 0;
    return how == EXACT && !wholeDay ? ROUNDED_DOWN : how;
  }

  private static int appendReal(KeyFormat format, int position, long raw, KeyBuffer key) {
    double value = Double.longBitsToDouble(raw);
    float nearest = (float) value;
    if (nearest > value) {
      nearest = Math.nextDown(nearest);
    }
    format.appendLong(key, position, Double.doubleToRawLongBits(nearest));
    return nearest == value || Double.isNaN(value) ? EXACT : ROUNDED_DOWN;
  }

  private static int appendExact(KeyFormat format, int position, BigDecimal value, KeyBuffer key) {
    ColumnType column = format.type(position);
    if (column.kind() == Kind.NUMERIC) {
      return appendNumeric(format, position, value, key);
    }
    BigDecimal floor = value.setScale(column.scale(), RoundingMode.FLOOR);
    int how = floor.compareTo(value) == 0 ? EXACT : ROUNDED_DOWN;
    boolean fits =
        column.kind() == Kind.DECIMAL
            ? Decimals.fits(floor.unscaledValue(), column.precision())
            : floor.unscaledValue().bitLength() < 64
                && Ranges.fits(column, floor.unscaledValue().longValue());
    if (!fits) {
      return floor.signum() < 0 ? BELOW : ABOVE;
    }
    if (column.isLong()) {
      format.appendLong(key, position, floor.unscaledValue().longValue());
    } else {
      format.appendObject(key, position, floor);
    }
    return how;
  }

  /** Every exact number is a NUMERIC value, so nothing is rounded. */
  private static int appendNumeric(
      KeyFormat format, int position, BigDecimal value, KeyBuffer key) {
    format.appendObject(key, position, Decimals.toNumeric(value));
    return EXACT;
  }

  /** Returns {@code [a = ?1, b = 5]} for EXPLAIN. */
  public static String explain(String[] columns, Expression[] expressions) {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < expressions.length; i++) {
      text.append(i == 0 ? "" : ", ").append(columns[i]);
      text.append(expressions[i] == null ? " IS " : " = ").append(expressions[i]);
    }
    return text.append(']').toString();
  }
}
