package org.nelumbo.ycsb.terminal;

import java.util.List;

/**
 * The core workloads. Records are drawn from a Zipfian distribution, in workload D by their age
 * with the latest record most often.
 */
public enum CoreWorkload {
  /** Half reads, half updates: a session store. */
  A(Operation.READ, 50, Operation.UPDATE),
  /** Mostly reads: tags of pictures. */
  B(Operation.READ, 95, Operation.UPDATE),
  /** Only reads: a cache of profiles. */
  C(Operation.READ, 100, Operation.UPDATE),
  /** Reads of the latest records: status updates. */
  D(Operation.READ, 95, Operation.INSERT),
  /** Short ranges: threads of a conversation. */
  E(Operation.SCAN, 95, Operation.INSERT),
  /** Reads and read-modify-writes: a user database. */
  F(Operation.READ, 50, Operation.READ_MODIFY_WRITE);

  private final Operation first;
  private final int firstShare;
  private final Operation second;

  CoreWorkload(Operation first, int firstShare, Operation second) {
    this.first = first;
    this.firstShare = firstShare;
    this.second = second;
  }

  /** Returns the operations; their indexes are the types that a terminal draws. */
  public List<Operation> operations() {
    return firstShare == 100 ? List.of(first) : List.of(first, second);
  }

  public List<String> titles() {
    return operations().stream().map(Enum::name).toList();
  }

  /** Returns the shares in percent, in the order of the operations. */
  public int[] shares() {
    return firstShare == 100 ? new int[] {100} : new int[] {firstShare, 100 - firstShare};
  }

  /** Returns true if the latest records are drawn most often. */
  public boolean latest() {
    return this == D;
  }
}
