package org.nelumbo.executor.op.access;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.KeyFormat;

/**
 * A range of an index: equal first columns, and then at most one column between two bounds. It is
 * converted to bytes, {@code low <= key < high}, where an empty {@code high} is an open end. Not
 * thread-safe.
 *
 * <p>The key of an entry starts with the values of its columns, so a bound that excludes a value is
 * the successor of all keys that start with this value. Bounds exclude NULL, which sorts first
 * (last if descending).
 */
final class KeyRange {
  private final KeyFormat format;
  private final KeyExpressions equals;
  private final RangeBound lower;
  private final RangeBound upper;
  private final int position;
  final KeyBuffer low = new KeyBuffer();
  final KeyBuffer high = new KeyBuffer();

  KeyRange(KeyFormat format, Expression[] equals, RangeBound lower, RangeBound upper) {
    this.format = format;
    this.equals = new KeyExpressions(format, equals);
    this.lower = lower;
    this.upper = upper;
    this.position = equals.length;
    check(lower);
    check(upper);
  }

  private void check(RangeBound bound) {
    if (bound != null && !KeyExpressions.isUsable(format.type(position), bound.value())) {
      throw new IllegalArgumentException("no key value expression=" + bound.value());
    }
  }

  /** Returns true if the values are known before the statement runs. */
  boolean isGiven() {
    return equals.isGiven()
        && (lower == null || Expressions.isGiven(lower.value()))
        && (upper == null || Expressions.isGiven(upper.value()));
  }

  /** Computes {@link #low} and {@link #high}; returns false if the range is empty. */
  boolean compute(Frame frame) {
    low.clear();
    if (!equals.appendAll(frame, low)) {
      return false;
    }
    high.copyFrom(low);
    if (lower == null && upper == null) {
      KeyEncoder.toPrefixSuccessor(high);
      return true;
    }
    boolean possible =
        format.isDescending(position)
            ? lowFromUpper(frame) && highFromLower(frame)
            : lowFromLower(frame) && highFromUpper(frame);
    return possible && (high.length == 0 || compare() < 0);
  }

  private int compare() {
    return Arrays.compareUnsigned(low.bytes, 0, low.length, high.bytes, 0, high.length);
  }

  private int append(RangeBound bound, Frame frame, KeyBuffer key) {
    return bound == null
        ? KeyExpressions.BELOW
        : KeyExpressions.append(format, position, bound.value(), frame, key);
  }

  private boolean isNullable() {
    return format.type(position).nullable();
  }

  /** Computes the start of {@code column > lower} for an ascending column. */
  private boolean lowFromLower(Frame frame) {
    switch (append(lower, frame, low)) {
      case KeyExpressions.EXACT -> {
        return lower.inclusive() || KeyEncoder.toPrefixSuccessor(low);
      }
      case KeyExpressions.ROUNDED_DOWN -> {
        return KeyEncoder.toPrefixSuccessor(low);
      }
      case KeyExpressions.BELOW -> {
        if (isNullable()) {
          KeyEncoder.appendValueMarker(low, false);
        }
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  /** Computes the end of {@code column < upper} for an ascending column. */
  private boolean highFromUpper(Frame frame) {
    if (upper == null) {
      KeyEncoder.toPrefixSuccessor(high);
      return true;
    }
    switch (append(upper, frame, high)) {
      case KeyExpressions.EXACT -> {
        if (upper.inclusive()) {
          KeyEncoder.toPrefixSuccessor(high);
        }
        return true;
      }
      case KeyExpressions.ROUNDED_DOWN, KeyExpressions.ABOVE -> {
        KeyEncoder.toPrefixSuccessor(high);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  /** Computes the start of {@code column < upper} for a descending column. */
  private boolean lowFromUpper(Frame frame) {
    if (upper == null) {
      return true;
    }
    switch (append(upper, frame, low)) {
      case KeyExpressions.EXACT -> {
        return upper.inclusive() || KeyEncoder.toPrefixSuccessor(low);
      }
      case KeyExpressions.ROUNDED_DOWN, KeyExpressions.ABOVE -> {
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  /** Computes the end of {@code column > lower} for a descending column. */
  private boolean highFromLower(Frame frame) {
    switch (append(lower, frame, high)) {
      case KeyExpressions.EXACT -> {
        if (lower.inclusive()) {
          KeyEncoder.toPrefixSuccessor(high);
        }
        return true;
      }
      case KeyExpressions.ROUNDED_DOWN -> {
        return true;
      }
      case KeyExpressions.BELOW -> {
        if (isNullable()) {
          KeyEncoder.appendValueMarker(high, true);
        }
        KeyEncoder.toPrefixSuccessor(high);
        return true;
      }
      default -> {
        return false;
      }
    }
  }

  String explain(String[] columns) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < equals.size(); i++) {
      text.append(text.isEmpty() ? "" : ", ").append(columns[i]);
      text.append(equals.expression(i) == null ? " IS " : " = ").append(equals.expression(i));
    }
    explain(text, columns, lower, ">");
    explain(text, columns, upper, "<");
    return text.isEmpty() ? "" : "[" + text + "]";
  }

  private void explain(StringBuilder text, String[] columns, RangeBound bound, String sign) {
    if (bound != null) {
      text.append(text.isEmpty() ? "" : ", ").append(columns[position]).append(' ').append(sign);
      text.append(bound.inclusive() ? "= " : " ").append(bound.value());
    }
  }
}
