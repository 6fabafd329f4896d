package org.nelumbo.dm.fabric.local;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory of a node that is taken from the system before it is handed out: all of it at the start,
 * or piece by piece. Where the machine or its control group has no more to give, the answer is no;
 * the system would end the process, and the memory with it, when it is touched.
 */
public final class CommittedMemory extends ForwardingNodeMemory {
  /** What is left to this process and others. */
  static final long HEADROOM_BYTES = 64L << 20;

  /** What may be taken until the machine is looked at again. */
  private static final long ALLOWANCE_BYTES = 16L << 20;

  private static final long STEP_BYTES = 64L << 20;

  private final MachineMemory machine;
  private final ReentrantLock lock = new ReentrantLock();
  private long allowance;
  private volatile boolean isTaken;

  private CommittedMemory(NodeMemory memory, MachineMemory machine) {
    super(memory);
    this.machine = machine;
  }

  /** Wraps anonymous memory of this process. */
  public static CommittedMemory of(NodeMemory memory, MachineMemory machine) {
    return new CommittedMemory(memory, machine);
  }

  /**
   * Takes all of it from the system, if there is so much.
   *
   * @return whether it was taken
   */
  public boolean takeAll() {
    if (leftBytes() == 0 && availableBytes() < bytes()) {
      return false;
    }
    for (long from = 0; from < bytes(); from += STEP_BYTES) {
      long step = Math.min(STEP_BYTES, bytes() - from);
      if (availableBytes() < step || !MappedPages.populate(address() + from, step)) {
        return false;
      }
    }
    isTaken = true;
    return true;
  }

  /** What the machine can still give, without what is left to others. */
  @Override
  public long availableBytes() {
    long available = machine.availableBytes();
    return available == MachineMemory.UNBOUNDED
        ? MachineMemory.UNBOUNDED
        : Math.max(0, available - HEADROOM_BYTES);
  }

  @Override
  public boolean populate(long offset, long length) {
    if (isTaken) {
      return true;
    }
    return isAllowed(length)
        && memory.populate(offset, length)
        && MappedPages.populate(address() + offset, length);
  }

  @Override
  public void clear(long offset, long length) {
    super.clear(offset, length);
    if (isTaken && !MappedPages.populate(address() + offset, length)) {
      isTaken = false;
    }
  }

  private boolean isAllowed(long length) {
    lock.lock();
    try {
      if (allowance < length) {
        long available = availableBytes();
        if (available < length) {
          return false;
        }
        allowance = Math.max(length, Math.min(available, ALLOWANCE_BYTES));
      }
      allowance -= length;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
