package org.nelumbo.executor.op.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.MaterializedRows;

/**
 * PERCENTILE_CONT, PERCENTILE_DISC and MODE: one of the ordered values of a group, or an
 * interpolation between two of them. NULLs do not count. The fraction is evaluated for the first
 * row.
 */
final class OrderedAccumulator extends Accumulator {
  private static final int VALUE_BYTES = 72;

  private final AggregateExpression.Function function;
  private final Expression argument;
  private final Expression fraction;
  private final GroupSort order;
  private final List<Values> groups = new ArrayList<>();

  private MemoryAccount account;

  private long bytes;
  private long reserved;

  @SuppressWarnings("ArrayRecordComponent") // records are never compared
  private record Value(Object raw, byte[] key) {}

  private static final class Values {
    final List<Value> all = new ArrayList<>(0);
    double fraction = Double.NaN;
  }

  OrderedAccumulator(AggregateExpression call) {
    function = call.function();
    argument =
        function == AggregateExpression.Function.PERCENTILE_CONT
            ? Casts.toDouble(call.argument())
            : call.argument();
    fraction = call.other() == null ? null : Casts.toDouble(call.other());
    order = new GroupSort(call.joining().order());
    ensure(1);
  }

  @Override
  void ensure(int count) {
    while (groups.size() < count) {
      groups.add(new Values());
    }
  }

  @Override
  void clear() {
    groups.clear();
    ensure(1);
    bytes = 0;
    reserved = 0;
    if (account != null) {
      account.close();
    }
  }

  @Override
  void add(int group, Frame frame) {
    Object raw;
    if (argument.type().isLong()) {
      long value = argument.evalLong(frame);
      raw = frame.takeNull() ? null : (Long) value;
    } else {
      raw = argument.evalObject(frame);
    }
    if (raw == null) {
      return;
    }
    Values values = groups.get(group);
    if (values.all.isEmpty() && fraction != null) {
      values.fraction = fraction(frame);
    }
    byte[] key = order.of(frame);
    reserve(frame, VALUE_BYTES + key.length + (raw instanceof Long ? 0 : size(raw)));
    values.all.add(new Value(raw, key));
  }

  private static long size(Object value) {
    return MaterializedRows.bytesOf(value);
  }

  private double fraction(Frame frame) {
    double wanted = Double.longBitsToDouble(fraction.evalLong(frame));
    if (frame.takeNull()) {
      return Double.NaN;
    }
    if (!(wanted >= 0 && wanted <= 1)) {
      throw new NelumboException(
          ErrorCode.NUMBER_OUT_OF_RANGE,
          "the fraction of " + function + " is between 0 and 1, not " + wanted);
    }
    return wanted;
  }

  private void reserve(Frame frame, long more) {
    bytes += more;
    if (bytes > reserved) {
      if (account == null) {
        account = frame.limits().newAccount(function.toString());
      }
      reserved = Math.max(MemoryAccount.FREE_BYTES, bytes + bytes / 4);
      account.resize(reserved);
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    Values values = groups.get(group);
    List<Value> sorted = values.all;
    if (sorted.isEmpty() || fraction != null && Double.isNaN(values.fraction)) {
      frame.setSlotNull(slot);
      return;
    }
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    switch (function) {
      case PERCENTILE_CONT ->
          frame.setSlotLong(slot, Double.doubleToRawLongBits(between(sorted, values.fraction)));
      case PERCENTILE_DISC -> {
        int rank = (int) Math.ceil(values.fraction * sorted.size());
        put(frame, slot, sorted.get(Math.max(0, rank - 1)).raw);
      }
      default -> put(frame, slot, mostFrequent(sorted));
    }
  }

  private static void put(Frame frame, int slot, Object raw) {
    if (raw instanceof Long value) {
      frame.setSlotLong(slot, value);
    } else {
      frame.setSlotObject(slot, raw);
    }
  }

  private static double between(List<Value> sorted, double fraction) {
    double place = fraction * (sorted.size() - 1);
    int below = (int) Math.floor(place);
    double low = number(sorted.get(below));
    double high = number(sorted.get((int) Math.ceil(place)));
    return low == high ? low : low + (place - below) * (high - low);
  }

  private static double number(Value value) {
    return Double.longBitsToDouble((Long) value.raw);
  }

  /** The first one in the order if there are several. */
  private static Object mostFrequent(List<Value> sorted) {
    Value best = null;
    int most = 0;
    int from = 0;
    for (int i = 1; i <= sorted.size(); i++) {
      boolean ends = i == sorted.size() || !Arrays.equals(sorted.get(i).key, sorted.get(from).key);
      if (ends) {
        if (i - from > most) {
          most = i - from;
          best = sorted.get(from);
        }
        from = i;
      }
    }
    return best.raw;
  }
}
