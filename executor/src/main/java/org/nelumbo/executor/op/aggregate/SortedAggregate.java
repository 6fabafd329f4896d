package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Groups the child's rows where rows of a group come one after the other (sorted by the group
 * expressions, say): keeps one group at a time.
 */
public final class SortedAggregate extends UnaryOperator {
  private final Grouping grouping;
  private final NormalizedKeyCodec keys;
  private final Accumulator[] accumulators;
  private KeyBuffer key = new KeyBuffer();
  private KeyBuffer nextKey = new KeyBuffer();
  private Frame frame;

  /** Whether the frame stands on the first row of the next group, with {@link #nextKey}. */
  private boolean pending;

  public SortedAggregate(Operator child, Grouping grouping) {
    super(child);
    this.grouping = grouping;
    this.keys = new NormalizedKeyCodec(grouping.expressions());
    this.accumulators = grouping.newAccumulators();
    if (keys.size() == 0) {
      throw new IllegalArgumentException("no group expressions");
    }
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    child.open(newFrame, transaction);
    pending = false;
    advance();
  }

  private void advance() {
    pending = child.next();
    if (pending) {
      keys.encode(frame, nextKey);
    }
  }

  @Override
  public boolean next() {
    if (!pending) {
      return false;
    }
    KeyBuffer current = nextKey;
    nextKey = key;
    key = current;
    for (Accumulator accumulator : accumulators) {
      accumulator.clear();
    }
    do {
      for (Accumulator accumulator : accumulators) {
        accumulator.add(0, frame);
      }
      advance();
    } while (pending && sameGroup());
    keys.decode(key.bytes, 0, frame, grouping.slots());
    grouping.emit(accumulators, 0, frame);
    return true;
  }

  private boolean sameGroup() {
    return Arrays.equals(key.bytes, 0, key.length, nextKey.bytes, 0, nextKey.length);
  }

  @Override
  public void close() {
    child.close();
    pending = false;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SortedAggregate(copier.copy(child), grouping);
  }

  @Override
  public FrameFields output() {
    return grouping.output();
  }

  @Override
  public String explain() {
    return "SortedAggregate(" + grouping.explain() + ")";
  }
}
