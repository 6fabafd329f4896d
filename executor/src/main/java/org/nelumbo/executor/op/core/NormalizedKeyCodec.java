package org.nelumbo.executor.op.core;

import org.nelumbo.executor.expr.ColumnReference;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Encodes values of expressions as normalized bytes, and decodes them. The bytes of two rows are
 * equal if and only if the values are (NULL equals NULL). Used by grouping, DISTINCT and hash
 * joins. Immutable.
 */
public final class NormalizedKeyCodec {
  private final Expression[] expressions;
  private final ColumnType[] types;

  public NormalizedKeyCodec(Expression[] expressions) {
    this.expressions = expressions;
    this.types = new ColumnType[expressions.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = expressions[i].type().orNull();
    }
  }

  public int size() {
    return expressions.length;
  }

  /**
   * Encodes the frame's current row into {@code key}; returns true if one of the values is NULL.
   */
  public boolean encode(Frame frame, KeyBuffer key) {
    key.clear();
    boolean anyNull = false;
    for (int i = 0; i < expressions.length; i++) {
      anyNull |= append(expressions[i], types[i], false, frame, key);
    }
    return anyNull;
  }

  /** Appends one value of a nullable type; returns true if it is NULL. */
  public static boolean append(
      Expression expression, ColumnType type, boolean descending, Frame frame, KeyBuffer key) {
    if (type.isLong()) {
      long raw = expression.evalLong(frame);
      if (!frame.takeNull()) {
        KeyEncoder.appendLong(key, type, descending, raw);
        return false;
      }
    } else {
      if (expression instanceof ColumnReference column
          && column.type().kind() == type.kind()
          && column.layout().isPlainText(column.column(), type.kind() == Kind.CHAR)) {
        return appendText(column, type, descending, frame, key);
      }
      Object raw = expression.evalObject(frame);
      if (raw != null) {
        KeyEncoder.appendObject(key, type, descending, raw);
        return false;
      }
    }
    KeyEncoder.appendNull(key, descending);
    return true;
  }

  /** Appends a text from the row without creating an object. */
  private static boolean appendText(
      ColumnReference column, ColumnType type, boolean descending, Frame frame, KeyBuffer key) {
    if (column.isNull(frame)) {
      KeyEncoder.appendNull(key, descending);
      return true;
    }
    RowBuffer row = frame.row(column.row());
    int start = key.length;
    if (type.nullable()) {
      KeyEncoder.appendValueMarker(key, false);
    }
    column.layout().appendText(row.bytes, row.offset, column.column(), key);
    if (descending) {
      KeyEncoder.complement(key.bytes, start, key.length);
    }
    return false;
  }

  /** Decodes the values of a key into slots. */
  public void decode(byte[] bytes, int offset, Frame frame, int[] slots) {
    int at = offset;
    for (int i = 0; i < types.length; i++) {
      ColumnType type = types[i];
      if (KeyEncoder.isNull(bytes, at, type, false)) {
        frame.setSlotNull(slots[i]);
      } else if (type.isLong()) {
        frame.setSlotLong(slots[i], KeyEncoder.longAt(bytes, at, type, false));
      } else {
        frame.setSlotObject(slots[i], KeyEncoder.objectAt(bytes, at, type, false));
      }
      at = KeyEncoder.skip(bytes, at, type, false);
    }
  }
}
