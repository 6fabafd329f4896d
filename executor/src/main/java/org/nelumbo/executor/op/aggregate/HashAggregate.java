package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.UnaryOperator;
import org.nelumbo.executor.op.spill.SpilledRows;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Groups the child's rows, in any order, by hashing. Groups are returned in the order of their
 * first rows. Without group expressions there is exactly one group, even if there are no rows.
 *
 * <p>If there is no memory for more groups, rows of new groups are written to temporary files, and
 * grouped after the groups in memory have been returned. Rows whose values a DISTINCT aggregate
 * cannot keep are spilled as well, and processed before that.
 */
public final class HashAggregate extends UnaryOperator {
  private static final int NONE = -1;

  private final Grouping grouping;
  private final NormalizedKeyCodec keys;
  private final Accumulator[] accumulators;
  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable groups;
  private MemoryAccount account;
  private SpilledRows spilled;
  private Frame frame;
  private int groupCount;

  private int reservedGroups;

  private int position;

  public HashAggregate(Operator child, Grouping grouping) {
    super(child);
    this.grouping = grouping;
    this.keys = new NormalizedKeyCodec(grouping.expressions());
    this.accumulators = grouping.newAccumulators();
    for (Accumulator accumulator : accumulators) {
      accumulator.allowSpilling(child.output());
    }
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (groups == null) {
      groups = new BytesHashTable(newFrame.limits().newAccount("GROUP BY"));
      account = newFrame.limits().newAccount("GROUP BY");
      spilled = new SpilledRows(child.output(), newFrame, "GROUP BY");
    }
    release();
    groupCount = keys.size() == 0 ? 1 : 0;
    child.open(newFrame, transaction);
    while (child.next()) {
      addRow();
    }
    child.close();
    addRest();
  }

  private void addRow() {
    frame.limits().work(1);
    int group = keys.size() == 0 ? 0 : group();
    if (group != NONE) {
      for (Accumulator accumulator : accumulators) {
        accumulator.add(group, frame);
      }
    }
  }

  /**
   * Adds the rows spilled by accumulators, after all rows of the groups in memory have been added.
   */
  private void addRest() {
    for (Accumulator accumulator : accumulators) {
      accumulator.addRest(this::knownGroup, frame);
    }
  }

  private int knownGroup() {
    frame.limits().work(1);
    if (keys.size() == 0) {
      return 0;
    }
    keys.encode(frame, key);
    return groups.find(key.bytes, 0, key.length);
  }

  private int group() {
    keys.encode(frame, key);
    if (spilled.isWriting() || groupCount == reservedGroups && !reserveGroups()) {
      int group = groups.find(key.bytes, 0, key.length);
      if (group == NONE) {
        spilled.write(key);
      }
      return group;
    }
    int group = groups.tryFindOrAdd(key.bytes, 0, key.length);
    if (group == BytesHashTable.NO_MEMORY) {
      spilled.write(key);
      return NONE;
    }
    if (group == groupCount) {
      groupCount++;
      for (Accumulator accumulator : accumulators) {
        accumulator.ensure(groupCount);
      }
    }
    return group;
  }

  private boolean reserveGroups() {
    int wanted = Math.max(16, 2 * groupCount);
    if (wanted < 0 || !account.tryResize(groupBytes() * wanted)) {
      return false;
    }
    reservedGroups = wanted;
    return true;
  }

  private long groupBytes() {
    long bytes = 0;
    for (Accumulator accumulator : accumulators) {
      bytes += accumulator.groupBytes();
    }
    return bytes;
  }

  private void clearGroups() {
    for (Accumulator accumulator : accumulators) {
      accumulator.clear();
    }
    groups.clear();
    groupCount = 0;
    position = 0;
  }

  private void release() {
    clearGroups();
    groups.release();
    spilled.close();
    account.close();
    reservedGroups = 0;
  }

  @Override
  public boolean next() {
    while (position >= groupCount) {
      boolean finished = keys.size() == 0 || groups == null;
      if (finished || !spilled.nextPart()) {
        return false;
      }
      clearGroups();
      while (spilled.next()) {
        addRow();
      }
      addRest();
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
    if (groups != null) {
      release();
    }
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
