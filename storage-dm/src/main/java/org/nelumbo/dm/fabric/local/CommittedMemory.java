package org.nelumbo.dm.fabric.local;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory of a node that is populated before it is allocated: all of it at the start, or piece by
 * piece. If the machine or its control group has no memory left, the allocation fails. Without this
 * check the system would kill the process, and lose its memory, at the first touch.
 */
public final class CommittedMemory extends ForwardingNodeMemory {
  /** Bytes of the machine's available memory that are left to this and other processes. */
  static final long HEADROOM_BYTES = 64L << 20;

  /** Bytes that may be populated before the available memory of the machine is checked again. */
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
   * Populates all of the memory if the machine has enough.
   *
   * @return true if all of it is populated
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

  /**
   * Returns the bytes that the machine can still provide, without the headroom of other processes.
   */
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
