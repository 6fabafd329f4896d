package org.nelumbo.dm.replication.verbs;

import java.util.Arrays;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.intent.IntentLayout;

/** The posted verbs of a flush. The list is reused for every flush. */
final class VerbList {
  private static final byte READ = 0;
  private static final byte WRITE = IntentLayout.WRITE;
  private static final byte WRITE_WORD = IntentLayout.WRITE_WORD;
  private static final byte CAS = IntentLayout.CAS;
  private static final byte FAA = IntentLayout.FAA;
  private static final byte RELEASE = IntentLayout.RELEASE;

  private byte[] kinds = new byte[64];
  private long[] addresses = new long[64];
  private int[] stagingOffsets = new int[64];
  private int[] lengths = new int[64];
  private long[] operands = new long[64];
  private long[] expected = new long[64];
  private int count;
  private int atomics;
  private int writes;
  private int allocations;

  int count() {
    return count;
  }

  /** Returns the number of CAS and FAA verbs. */
  int atomics() {
    return atomics;
  }

  /** Returns the number of verbs that are not READs. */
  int writes() {
    return writes;
  }

  /** Returns the number of FAA verbs that allocate memory, for which copies may have no room. */
  int allocations() {
    return allocations;
  }

  void clear() {
    count = 0;
    allocations = 0;
    atomics = 0;
    writes = 0;
  }

  void addRead(long address, int stagingOffset, int length) {
    add(READ, address, stagingOffset, length, 0, 0);
  }

  void addWrite(long address, int stagingOffset, int length) {
    add(WRITE, address, stagingOffset, length, 0, 0);
    writes++;
  }

  void addWriteWord(long address, long value) {
    add(WRITE_WORD, address, 0, Long.BYTES, value, 0);
    writes++;
  }

  void addRelease(long address, long held, long value) {
    add(RELEASE, address, 0, Long.BYTES, value, held);
    writes++;
  }

  void addCas(long address, long wanted, long replacement, int stagingOffset) {
    add(CAS, address, stagingOffset, Long.BYTES, replacement, wanted);
    writes++;
    atomics++;
  }

  void addFaa(long address, long delta, int stagingOffset) {
    add(FAA, address, stagingOffset, Long.BYTES, delta, 0);
    writes++;
    atomics++;
    allocations += isAllocation(count - 1) ? 1 : 0;
  }

  private void add(
      byte kind, long address, int stagingOffset, int length, long operand, long wanted) {
    if (count == kinds.length) {
      grow();
    }
    kinds[count] = kind;
    addresses[count] = address;
    stagingOffsets[count] = stagingOffset;
    lengths[count] = length;
    operands[count] = operand;
    expected[count] = wanted;
    count++;
  }

  private void grow() {
    int size = 2 * count;
    addresses = Arrays.copyOf(addresses, size);
    stagingOffsets = Arrays.copyOf(stagingOffsets, size);
    lengths = Arrays.copyOf(lengths, size);
    operands = Arrays.copyOf(operands, size);
    expected = Arrays.copyOf(expected, size);
    // Last, since its length decides whether the arrays have grown.
    kinds = Arrays.copyOf(kinds, size);
  }

  boolean isRead(int i) {
    return kinds[i] == READ;
  }

  boolean isAtomic(int i) {
    return kinds[i] == CAS || kinds[i] == FAA;
  }

  /** Returns true if the verb allocates memory of a logical node. */
  boolean isAllocation(int i) {
    return kinds[i] == FAA && offset(i) == SuperblockLayout.BUMP_OFFSET;
  }

  int logical(int i) {
    return (int) (addresses[i] >>> PoolAddress.OFFSET_BITS);
  }

  long offset(int i) {
    return PoolAddress.offset(addresses[i]);
  }

  int stagingOffset(int i) {
    return stagingOffsets[i];
  }

  int length(int i) {
    return lengths[i];
  }

  /** Returns true if the verb releases a latch that other compute nodes may wait for. */
  boolean isRelease(int i) {
    return kinds[i] == RELEASE;
  }

  boolean isCas(int i) {
    return kinds[i] == CAS;
  }

  /** Returns true if the verb raises the clock, a counter at which backups may be ahead. */
  boolean isRaise(int i) {
    return kinds[i] == CAS && logical(i) == 0 && offset(i) == SuperblockLayout.CLOCK_OFFSET;
  }

  long operand(int i) {
    return operands[i];
  }

  long expected(int i) {
    return expected[i];
  }

  /**
   * Returns the kind of verb for the intent record. A CAS that raises the clock is an FAA at
   * backups.
   */
  int intentKind(int i) {
    return isRaise(i) ? IntentLayout.FAA : kinds[i];
  }

  /** Posts a verb to one copy; the result of a CAS or FAA is stored at {@code result}. */
  void post(int i, Channel channel, long address, int result) {
    switch (kinds[i]) {
      case READ -> channel.read(address, stagingOffsets[i], lengths[i]);
      case WRITE -> channel.write(address, stagingOffsets[i], lengths[i]);
      case WRITE_WORD, RELEASE -> channel.writeLong(address, operands[i]);
      case CAS -> channel.compareAndSwap(address, expected[i], operands[i], result);
      default -> channel.fetchAndAdd(address, operands[i], result);
    }
  }
}
