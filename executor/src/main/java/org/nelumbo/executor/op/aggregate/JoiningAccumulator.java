package org.nelumbo.executor.op.aggregate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.MaterializedRows;

/**
 * LISTAGG: concatenates the texts of a group in the order of sort keys, or in the order of their
 * arrival.
 */
final class JoiningAccumulator extends Accumulator {
  private static final int TEXT_BYTES = 48;

  private final Expression argument;
  private final AggregateExpression.Joining joining;
  private final GroupSort order;
  private List<List<Part>> groups = new ArrayList<>();

  private MemoryAccount account;

  private long bytes;
  private long reserved;

  /** A text, the separator before it (unless it is the first), and its sort key. */
  @SuppressWarnings("ArrayRecordComponent") // records are never compared
  private record Part(String text, String separator, byte[] key) {}

  JoiningAccumulator(Expression argument, AggregateExpression.Joining joining) {
    this.argument = argument;
    this.joining = joining;
    this.order = new GroupSort(joining.order());
    ensure(1);
  }

  @Override
  void ensure(int count) {
    while (groups.size() < count) {
      groups.add(new ArrayList<>(0));
    }
  }

  @Override
  void clear() {
    groups = new ArrayList<>();
    ensure(1);
    bytes = 0;
    reserved = 0;
    if (account != null) {
      account.close();
    }
  }

  @Override
  void add(int group, Frame frame) {
    String text = (String) argument.evalObject(frame);
    if (text == null) {
      return;
    }
    String separator =
        joining.separator() == null ? "" : (String) joining.separator().evalObject(frame);
    byte[] place = order.isEmpty() ? null : order.of(frame);
    reserve(
        frame,
        TEXT_BYTES + MaterializedRows.bytesOf(text) + (place == null ? 0 : 16 + place.length));
    groups.get(group).add(new Part(text, separator == null ? "" : separator, place));
  }

  private void reserve(Frame frame, long more) {
    bytes += more;
    if (bytes > reserved) {
      if (account == null) {
        account = frame.limits().newAccount("LISTAGG");
      }
      reserved = Math.max(MemoryAccount.FREE_BYTES, bytes + bytes / 4);
      account.resize(reserved);
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    List<Part> parts = groups.get(group);
    if (parts.isEmpty()) {
      frame.setSlotNull(slot);
      return;
    }
    if (!order.isEmpty()) {
      parts.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
    }
    StringBuilder result = new StringBuilder();
    boolean first = true;
    for (Part part : parts) {
      result.append(first ? "" : part.separator);
      first = false;
      frame.limits().checkLength((long) result.length() + part.text.length(), "LISTAGG");
      frame.limits().workOnText(part.text.length());
      result.append(part.text);
    }
    frame.setSlotObject(slot, result.toString());
  }
}
