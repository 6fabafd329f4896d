package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.UUID;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Uuids;

/**
 * The order of raw values. It equals the order of their normalized keys, so that sorting, comparing
 * and index scans agree. Text is ordered by code point; CHAR ignores trailing blanks.
 */
public final class RawValueOrder {
  private RawValueOrder() {}

  /** Compares two values of one {@code long} type. */
  public static int compareLongs(ColumnType type, long left, long right) {
    return type.kind().isFloating()
        ? compareDoubles(Double.longBitsToDouble(left), Double.longBitsToDouble(right))
        : Long.compare(left, right);
  }

  /** Compares two DOUBLEs. -0 equals 0; NaN equals itself and is greater than all other values. */
  static int compareDoubles(double left, double right) {
    if (left < right) {
      return -1;
    }
    return left > right ? 1 : Double.compare(left + 0.0, right + 0.0);
  }

  /** Compares two values of one object type. */
  public static int compareObjects(ColumnType type, Object left, Object right) {
    return switch (type.kind()) {
      case CHAR -> comparePadded((String) left, (String) right);
      case VARCHAR -> compareText((String) left, (String) right);
      case BINARY, VARBINARY -> Arrays.compareUnsigned((byte[]) left, (byte[]) right);
      case UUID -> Uuids.compare((UUID) left, (UUID) right);
      default -> ((BigDecimal) left).compareTo((BigDecimal) right);
    };
  }

  /** Compares texts by code point. */
  static int compareText(String left, String right) {
    return compare(left, left.length(), right, right.length());
  }

  /** Compares texts by code point, ignoring trailing blanks. */
  static int comparePadded(String left, String right) {
    return compare(left, trimmed(left), right, trimmed(right));
  }

  static int trimmed(String text) {
    int length = text.length();
    while (length > 0 && text.charAt(length - 1) == ' ') {
      length--;
    }
    return length;
  }

  private static int compare(String left, int leftLength, String right, int rightLength) {
    int common = Math.min(leftLength, rightLength);
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean astralA = Character.isSurrogate(a);
        return astralA != Character.isSurrogate(b) ? (astralA ? 1 : -1) : a - b;
      }
    }
    return leftLength - rightLength;
  }
}
