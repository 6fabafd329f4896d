package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.RawValueOrder;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.MaterializedRows;

/** MIN, MAX or the first value of an object type. */
final class ObjectExtremeAccumulator extends Accumulator {
  /** Memory assumed for a short value, in bytes. */
  private static final int VALUE_BYTES = 160;

  private final Expression argument;
  private final int sign;
  private Object[] values = new Object[1];

  private MemoryAccount account;

  private long bytes;
  private long reserved;

  /** Creates an accumulator of the maximum (sign 1), the minimum (-1), or the first value (0). */
  ObjectExtremeAccumulator(Expression argument, int sign) {
    this.argument = argument;
    this.sign = sign;
  }

  @Override
  void ensure(int groups) {
    if (groups > values.length) {
      values = Arrays.copyOf(values, Math.max(groups, values.length * 2));
    }
  }

  @Override
  long groupBytes() {
    return VALUE_BYTES + 24;
  }

  @Override
  void clear() {
    Arrays.fill(values, null);
    bytes = 0;
    reserved = 0;
    if (account != null) {
      account.close();
    }
  }

  @Override
  void add(int group, Frame frame) {
    Object value = argument.evalObject(frame);
    if (value == null) {
      return;
    }
    Object known = values[group];
    boolean better =
        known == null
            || (sign != 0
                && Integer.signum(RawValueOrder.compareObjects(argument.type(), value, known))
                    == sign);
    if (better) {
      reserve(frame, excess(value) - excess(known));
      values[group] = value;
    }
  }

  private static long excess(Object value) {
    return Math.max(0, MaterializedRows.bytesOf(value) - VALUE_BYTES);
  }

  private void reserve(Frame frame, long more) {
    bytes += more;
    if (bytes > reserved) {
      if (account == null) {
        account = frame.limits().newAccount("MIN or MAX");
      }
      reserved = Math.max(MemoryAccount.FREE_BYTES, bytes + bytes / 4);
      account.resize(reserved);
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    frame.setSlotObject(slot, values[group]);
  }
}
