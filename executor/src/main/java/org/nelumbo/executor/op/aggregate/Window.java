package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.basic.SortKey;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Computes window functions. The child returns rows sorted by the partition and then by the order
 * of the window. The operator keeps the rows of one partition in memory, computes the values, and
 * then returns the rows with the values in slots.
 */
public final class Window extends UnaryOperator {
  private static final ColumnType NUMBER = ColumnType.of(Kind.BIGINT);

  private final Expression[] partition;
  private final SortKey[] order;
  private final WindowCall[] calls;

  private Frame frame;
  private NormalizedKeyCodec partitionKey;
  private NormalizedKeyCodec orderKey;
  private MaterializedRows rows;

  private MaterializedRows ahead;

  private MemoryAccount account;
  private WindowResults[] results;
  private Accumulator[] accumulators;
  private final KeyBuffer key = new KeyBuffer();
  private byte[] presentPartition;

  /** First and last peer of each row: the rows with equal sort keys. */
  private int[] firstPeers = new int[16];

  private int[] lastPeers = new int[16];

  /** True if a window frame counts peer groups, which are computed only in this case. */
  private final boolean countsGroups;

  private final PeerGroups groups = new PeerGroups();
  private int position;
  private boolean exhausted;

  /** False if the limit of the current bound is out of range for its type. */
  private boolean limited;

  /**
   * Creates a computation of window functions.
   *
   * @param child operator whose rows are sorted by the partition and then by the order
   */
  public Window(Operator child, Expression[] partition, SortKey[] order, WindowCall[] calls) {
    super(child);
    this.partition = partition;
    this.order = order;
    this.calls = calls;
    this.countsGroups =
        Arrays.stream(calls)
            .anyMatch(
                call -> call.frame() != null && call.frame().unit() == WindowCall.Unit.GROUPS);
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(child.output(), newFrame, "OVER");
      ahead = new MaterializedRows(child.output(), newFrame, "OVER");
      account = newFrame.limits().newAccount("OVER");
      partitionKey = new NormalizedKeyCodec(partition);
      orderKey =
          new NormalizedKeyCodec(
              Arrays.stream(order).map(SortKey::expression).toArray(Expression[]::new));
      results = Arrays.stream(calls).map(WindowResults::new).toArray(WindowResults[]::new);
      accumulators =
          Arrays.stream(calls)
              .map(call -> call.aggregate() == null ? null : Accumulators.of(call.aggregate()))
              .toArray(Accumulator[]::new);
    }
    release();
    exhausted = false;
    child.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    if (position >= rows.size() && !loadPartition()) {
      return false;
    }
    rows.restore(position, frame);
    for (WindowResults result : results) {
      result.show(position, frame);
    }
    position++;
    return true;
  }

  private boolean loadPartition() {
    rows.clear();
    position = 0;
    if (ahead.size() > 0) {
      ahead.restore(0, frame);
      addRow();
      ahead.clear();
    } else if (!exhausted && child.next()) {
      presentPartition = keyOf(partitionKey);
      addRow();
    } else {
      exhausted = true;
      return false;
    }
    while (!exhausted) {
      if (!child.next()) {
        exhausted = true;
        break;
      }
      frame.limits().work(1);
      byte[] found = keyOf(partitionKey);
      if (!Arrays.equals(found, presentPartition)) {
        presentPartition = found;
        ahead.add(frame);
        break;
      }
      addRow();
    }
    findPeers();
    if (countsGroups) {
      groups.find(firstPeers, rows.size());
    }
    for (int i = 0; i < calls.length; i++) {
      results[i].start(rows.size());
      compute(calls[i], results[i], accumulators[i]);
    }
    return true;
  }

  private byte[] keyOf(NormalizedKeyCodec codec) {
    codec.encode(frame, key);
    return Arrays.copyOf(key.bytes, key.length);
  }

  private void addRow() {
    int count = rows.size() + 1;
    if (count > firstPeers.length) {
      account.resize(count * ((countsGroups ? 32L : 16L) + 18L * calls.length));
      firstPeers = Arrays.copyOf(firstPeers, 2 * count);
      lastPeers = Arrays.copyOf(lastPeers, 2 * count);
    }
    rows.add(frame);
  }

  private void findPeers() {
    int count = rows.size();
    if (order.length == 0) {
      Arrays.fill(firstPeers, 0, count, 0);
      Arrays.fill(lastPeers, 0, count, count - 1);
      return;
    }
    byte[] present = null;
    int first = 0;
    for (int i = 0; i < count; i++) {
      rows.restore(i, frame);
      byte[] found = keyOf(orderKey);
      if (present != null && !Arrays.equals(present, found)) {
        Arrays.fill(lastPeers, first, i, i - 1);
        first = i;
      }
      present = found;
      firstPeers[i] = first;
    }
    Arrays.fill(lastPeers, first, count, count - 1);
  }

  private void compute(WindowCall call, WindowResults result, Accumulator accumulator) {
    switch (call.function()) {
      case AGGREGATE -> aggregate(call, result, accumulator);
      case LAG -> neighbour(call, result, -1);
      case LEAD -> neighbour(call, result, 1);
      case FIRST_VALUE, LAST_VALUE, NTH_VALUE -> ofFrame(call, result);
      case NTILE -> tile(call, result);
      default -> rank(call, result);
    }
  }

  private void rank(WindowCall call, WindowResults result) {
    int count = rows.size();
    long dense = 0;
    for (int i = 0; i < count; i++) {
      dense += firstPeers[i] == i ? 1 : 0;
      long raw =
          switch (call.function()) {
            case ROW_NUMBER -> i + 1L;
            case RANK -> firstPeers[i] + 1L;
            case DENSE_RANK -> dense;
            case PERCENT_RANK ->
                Double.doubleToRawLongBits(count == 1 ? 0 : firstPeers[i] / (count - 1.0));
            default -> Double.doubleToRawLongBits((lastPeers[i] + 1.0) / count);
          };
      result.setLong(i, raw);
    }
  }

  private void tile(WindowCall call, WindowResults result) {
    rows.restore(0, frame);
    Expression argument = Casts.cast(NUMBER, call.arguments().getFirst());
    long tiles = argument.evalLong(frame);
    boolean isNull = frame.takeNull();
    if (!isNull && tiles < 1) {
      throw new NelumboException(ErrorCode.BAD_PARAMETER, "NTILE takes a number of at least 1");
    }
    long count = rows.size();
    for (int i = 0; i < count; i++) {
      if (isNull) {
        result.setNull(i);
      } else {
        long size = count / tiles;
        long larger = count % tiles;
        long inLarger = larger * (size + 1);
        result.setLong(i, i < inLarger ? i / (size + 1) + 1 : larger + (i - inLarger) / size + 1);
      }
    }
  }

  private void neighbour(WindowCall call, WindowResults result, int direction) {
    Expression value = call.arguments().get(0);
    Expression distance = call.arguments().size() > 1 ? call.arguments().get(1) : null;
    Expression otherwise = call.arguments().size() > 2 ? call.arguments().get(2) : null;
    for (int i = 0; i < rows.size(); i++) {
      frame.limits().work(1);
      rows.restore(i, frame);
      long away = distance == null ? 1 : distance.evalLong(frame);
      if (distance != null && frame.takeNull()) {
        result.setNull(i);
        continue;
      }
      long target = call.ignoresNulls() ? beside(value, i, direction, away) : i + direction * away;
      if (target >= 0 && target < rows.size()) {
        rows.restore((int) target, frame);
        frame.setSlot(call.slot(), value);
      } else if (otherwise == null) {
        frame.setSlotNull(call.slot());
      } else {
        frame.setSlot(call.slot(), otherwise);
      }
      result.take(i, frame);
    }
  }

  /**
   * Returns the position of the n-th row before or after a row in which a value is not NULL;
   * outside of the partition if there are fewer.
   */
  private long beside(Expression value, int row, int direction, long n) {
    int step = n < 0 ? -direction : direction;
    long left = n == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(n);
    long found = row;
    while (left > 0 && found >= 0 && found < rows.size()) {
      found += step;
      left -= isPresent(value, found) ? 1 : 0;
    }
    return found;
  }

  private boolean isPresent(Expression value, long row) {
    frame.limits().work(1);
    if (row < 0 || row >= rows.size()) {
      return false;
    }
    rows.restore((int) row, frame);
    return !value.isNull(frame);
  }

  private void ofFrame(WindowCall call, WindowResults result) {
    Expression value = call.arguments().getFirst();
    for (int i = 0; i < rows.size(); i++) {
      frame.limits().work(1);
      long first = first(call.frame(), i);
      long last = last(call.frame(), i);
      long wanted =
          switch (call.function()) {
            case FIRST_VALUE -> counted(call, i, first, last, 1);
            case LAST_VALUE -> counted(call, i, last, first, 1);
            default -> counted(call, i, first, last, nth(call, i));
          };
      if (first > last || wanted < first || wanted > last) {
        result.setNull(i);
      } else {
        rows.restore((int) wanted, frame);
        frame.setSlot(call.slot(), value);
        result.take(i, frame);
      }
    }
  }

  /**
   * Returns the n-th counted row on the way from one row of a window frame to another, or a row
   * beyond the end if there are fewer.
   */
  private long counted(WindowCall call, int row, long from, long to, long n) {
    int step = from <= to ? 1 : -1;
    WindowCall.Exclusion exclusion = call.frame().exclusion();
    if (exclusion == WindowCall.Exclusion.NOTHING && !call.ignoresNulls()) {
      return from + step * (n - 1);
    }
    long left = n;
    long found = from;
    for (; found != to + step; found += step) {
      frame.limits().work(1);
      boolean counts =
          !isExcluded(exclusion, row, found)
              && (!call.ignoresNulls() || isPresent(call.arguments().getFirst(), found));
      if (counts && --left == 0) {
        break;
      }
    }
    return found;
  }

  private boolean isExcluded(WindowCall.Exclusion exclusion, int row, long other) {
    boolean isPeer = other >= firstPeers[row] && other <= lastPeers[row];
    return switch (exclusion) {
      case NOTHING -> false;
      case CURRENT_ROW -> other == row;
      case GROUP -> isPeer;
      case TIES -> isPeer && other != row;
    };
  }

  private long nth(WindowCall call, int row) {
    rows.restore(row, frame);
    long n = call.arguments().get(1).evalLong(frame);
    if (frame.takeNull() || n < 1) {
      throw new NelumboException(ErrorCode.BAD_PARAMETER, "NTH_VALUE counts from 1");
    }
    return n;
  }

  /**
   * If the window frame begins with the partition, rows are added as it grows; otherwise each frame
   * is aggregated from scratch.
   */
  private void aggregate(WindowCall call, WindowResults result, Accumulator accumulator) {
    WindowCall.Exclusion exclusion = call.frame().exclusion();
    boolean grows =
        call.frame().lower().kind() == WindowCall.BoundKind.UNBOUNDED_PRECEDING
            && exclusion == WindowCall.Exclusion.NOTHING;
    long added = 0;
    clear(accumulator);
    for (int i = 0; i < rows.size(); i++) {
      long first = first(call.frame(), i);
      long last = last(call.frame(), i);
      if (!grows) {
        clear(accumulator);
        added = first;
      } else if (i > 0 && last < added) {
        result.copy(i - 1, i);
        continue;
      }
      for (; added <= last; added++) {
        frame.limits().work(1);
        if (!isExcluded(exclusion, i, added)) {
          rows.restore((int) added, frame);
          accumulator.add(0, frame);
        }
      }
      accumulator.emit(0, frame, call.slot());
      result.take(i, frame);
    }
    clear(accumulator);
  }

  private static void clear(Accumulator accumulator) {
    accumulator.clear();
    accumulator.ensure(1);
  }

  private long first(WindowCall.RowFrame rowFrame, int row) {
    WindowCall.Bound bound = rowFrame.lower();
    if (bound.reach() != null) {
      return firstWithin(bound, row);
    }
    long first =
        switch (bound.kind()) {
          case UNBOUNDED_PRECEDING -> 0;
          case CURRENT_ROW -> rowFrame.unit() == WindowCall.Unit.ROWS ? row : firstPeers[row];
          case PRECEDING, FOLLOWING -> {
            long distance = distance(bound);
            yield rowFrame.unit() == WindowCall.Unit.GROUPS
                ? groups.first(row, distance)
                : row + distance;
          }
          case UNBOUNDED_FOLLOWING -> rows.size();
        };
    return Math.max(0, first);
  }

  private long last(WindowCall.RowFrame rowFrame, int row) {
    WindowCall.Bound bound = rowFrame.upper();
    if (bound.reach() != null) {
      return lastWithin(bound, row);
    }
    long last =
        switch (bound.kind()) {
          case UNBOUNDED_PRECEDING -> -1;
          case CURRENT_ROW -> rowFrame.unit() == WindowCall.Unit.ROWS ? row : lastPeers[row];
          case PRECEDING, FOLLOWING -> {
            long distance = distance(bound);
            yield rowFrame.unit() == WindowCall.Unit.GROUPS
                ? groups.last(row, distance)
                : row + distance;
          }
          case UNBOUNDED_FOLLOWING -> rows.size() - 1L;
        };
    return Math.min(rows.size() - 1L, last);
  }

  private long firstWithin(WindowCall.Bound bound, int row) {
    int first = firstPeers[row];
    if (hasLimit(bound, row)) {
      if (bound.kind() == WindowCall.BoundKind.PRECEDING) {
        while (first > 0 && isReached(bound.reach(), first - 1)) {
          first--;
        }
      } else {
        while (first < rows.size() && isBeyond(bound.reach(), first)) {
          first++;
        }
      }
    }
    return first;
  }

  private long lastWithin(WindowCall.Bound bound, int row) {
    int last = lastPeers[row];
    if (hasLimit(bound, row)) {
      if (bound.kind() == WindowCall.BoundKind.FOLLOWING) {
        while (last < rows.size() - 1 && isReached(bound.reach(), last + 1)) {
          last++;
        }
      } else {
        while (last >= 0 && isBeyond(bound.reach(), last)) {
          last--;
        }
      }
    }
    return last;
  }

  /**
   * Stores the limit of a row's bound in its slot, if it is in the range of its type; otherwise the
   * bound includes all rows on that side. Returns false if the sort key is NULL, in which case only
   * peers count.
   */
  private boolean hasLimit(WindowCall.Bound bound, int row) {
    rows.restore(row, frame);
    if (bound.offset().isNull(frame) || bound.reach().negative().isTrue(frame)) {
      throw wrongDistance();
    }
    if (bound.reach().key().isNull(frame)) {
      return false;
    }
    try {
      frame.setSlot(bound.reach().slot(), bound.reach().limit());
      limited = true;
    } catch (NelumboException e) {
      if (e.code() != ErrorCode.NUMBER_OUT_OF_RANGE && e.code() != ErrorCode.DATETIME_OVERFLOW) {
        throw e;
      }
      limited = false;
    }
    return true;
  }

  /** A row with a NULL key is never included. */
  private boolean isReached(WindowCall.Reach reach, int row) {
    frame.limits().work(1);
    rows.restore(row, frame);
    return limited ? reach.within().isTrue(frame) : !reach.key().isNull(frame);
  }

  /** Rows with a NULL key sort first or last, and are never beyond a bound. */
  private boolean isBeyond(WindowCall.Reach reach, int row) {
    frame.limits().work(1);
    rows.restore(row, frame);
    return !reach.key().isNull(frame) && !(limited && reach.within().isTrue(frame));
  }

  private static NelumboException wrongDistance() {
    return new NelumboException(
        ErrorCode.BAD_PARAMETER, "the distance of a window's bound is NULL or negative");
  }

  /** Negative if the bound is before the current row. */
  private long distance(WindowCall.Bound bound) {
    long offset = bound.offset().evalLong(frame);
    if (frame.takeNull() || offset < 0) {
      throw wrongDistance();
    }
    long distance = Math.min(offset, Integer.MAX_VALUE);
    return bound.kind() == WindowCall.BoundKind.PRECEDING ? -distance : distance;
  }

  @Override
  public FrameFields output() {
    int[] slots = Arrays.stream(calls).mapToInt(WindowCall::slot).toArray();
    return child.output().union(FrameFields.ofSlots(IntStream.of(slots).toArray()));
  }

  @Override
  public void close() {
    child.close();
    release();
  }

  private void release() {
    if (rows != null) {
      rows.release();
      ahead.release();
      account.close();
      for (WindowResults result : results) {
        result.clear();
      }
    }
    position = 0;
    exhausted = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new Window(copier.copy(child), partition, order, calls);
  }

  @Override
  public String explain() {
    String functions =
        Arrays.stream(calls).map(WindowCall::toString).collect(Collectors.joining(", "));
    String by =
        Stream.of(
                partition.length == 0 ? "" : "PARTITION BY " + list(partition),
                order.length == 0 ? "" : "ORDER BY " + list(order))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return "Window(" + functions + (by.isEmpty() ? "" : ": " + by) + ")";
  }

  private static String list(Object[] parts) {
    return Arrays.stream(parts).map(Object::toString).collect(Collectors.joining(", "));
  }
}
