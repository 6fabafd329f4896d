package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Groups the child's rows, in any order, by hashing; groups come in the order they were first met.
 * Without group expressions there is exactly one group, even of no rows.
 */
public final class HashAggregate extends UnaryOperator {
  private final Grouping grouping;
  private final NormalizedKeyCodec keys;
  private final Accumulator[] accumulators;
  private final BytesHashTable groups = new BytesHashTable();
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private int groupCount;
  private int position;

  public HashAggregate(Operator child, Grouping grouping) {
    super(child);
    this.grouping = grouping;
    this.keys = new NormalizedKeyCodec(grouping.expressions());
    this.accumulators = grouping.newAccumulators();
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    clear();
    groupCount = keys.size() == 0 ? 1 : 0;
    child.open(newFrame, transaction);
    while (child.next()) {
      int group = keys.size() == 0 ? 0 : group();
      for (Accumulator accumulator : accumulators) {
        accumulator.add(group, newFrame);
      }
    }
    child.close();
  }

  private int group() {
    keys.encode(frame, key);
    int group = groups.findOrAdd(key.bytes, 0, key.length);
    if (group == groupCount) {
      groupCount++;
      for (Accumulator accumulator : accumulators) {
        accumulator.ensure(groupCount);
      }
    }
    return group;
  }

  private void clear() {
    groups.clear();
    for (Accumulator accumulator : accumulators) {
      accumulator.clear();
    }
    groupCount = 0;
    position = 0;
  }

  @Override
  public boolean next() {
    if (position >= groupCount) {
      return false;
    }
    if (keys.size() > 0) {
      keys.decode(groups.bytes(), groups.start(position), frame, grouping.slots());
    }
    grouping.emit(accumulators, position++, frame);
    return true;
  }

  @Override
  public void close() {
    child.close();
    clear();
  }

  @Override
  public Operator copy(Copier copier) {
    return new HashAggregate(copier.copy(child), grouping);
  }

  @Override
  public FrameFields output() {
    return grouping.output();
  }

  @Override
  public String explain() {
    String name = keys.size() == 0 ? "Aggregate(" : "HashAggregate(";
    return name + grouping.explain() + ")";
  }
}
