package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.ADDRESS_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.FENCES_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HEADER_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HEAP_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HIGH_LENGTH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LATCH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.LOW_LENGTH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.OPEN;
import static org.nelumbo.dm.layout.TreeNodeLayout.PREFIX_LENGTH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.RIGHT_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.SLOT_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.SUFFIX_LENGTH_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.SUFFIX_LENGTH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.VARIABLE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.TreeNodeLayout;

/**
 * A private copy of a node: what readers search, and what the holder of the latch changes before it
 * writes it back. Reusable. Not thread-safe while it changes; an instance that no longer changes
 * and was safely published may be read by all.
 *
 * <p>A change notes which bytes have to be written back, in two parts: bytes that no entry refers
 * to until the header is written, and the rest.
 */
final class Node {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Eight bytes longer than a node, so that a word may be loaded at any byte of it. */
  final byte[] bytes = new byte[LENGTH + Long.BYTES];

  long address;

  /** What the header word is in the pool. */
  long poolHeader;

  /** Bytes to be written back first: nobody looks at them before the header changes. */
  int hiddenFrom;

  int hiddenTo;

  /**
   * Bytes to be written back in one WRITE, from the header word on; none if {@code changedTo} is 0.
   */
  int changedTo;

  private int count;
  private int prefixLength;
  private int suffixLength;
  private int entriesOffset;
  private int stride;

  /** The key of entry 0 of an inner node is the low fence; what is stored for it means nothing. */
  private boolean isInner;

  /** Takes a copy out of the staging buffer. */
  void load(MemorySegment staging, long offset, long nodeAddress) {
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, offset, bytes, 0, LENGTH);
    address = nodeAddress;
    poolHeader = header();
    parse();
  }

  /** Becomes a copy of another node. */
  void copyFrom(Node other) {
    System.arraycopy(other.bytes, 0, bytes, 0, LENGTH);
    address = other.address;
    poolHeader = other.poolHeader;
    parse();
  }

  /** Becomes the same node, so that it can be encoded anew: address, latch, version, siblings. */
  void become(Node other) {
    System.arraycopy(other.bytes, 0, bytes, 0, FENCES_OFFSET);
    address = other.address;
    poolHeader = other.poolHeader;
  }

  /** Prepares for access after the bytes were set from outside. */
  void parse() {
    count = TreeNodeLayout.count(header());
    isInner = level() > 0;
    prefixLength = u8(PREFIX_LENGTH_OFFSET);
    suffixLength = u8(SUFFIX_LENGTH_OFFSET);
    entriesOffset =
        FENCES_OFFSET + lowLength() + (isRightmost() ? 0 : u8(HIGH_LENGTH_OFFSET)) + prefixLength;
    stride = isVariable() ? SLOT_LENGTH : suffixLength + ADDRESS_LENGTH;
    hiddenTo = hiddenFrom;
    changedTo = 0;
  }

  int u8(int at) {
    return bytes[at] & 255;
  }

  private int u16(int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  private void putU16(int at, int value) {
    SHORT.set(bytes, at, (short) value);
  }

  long latch() {
    return (long) LONG.get(bytes, LATCH_OFFSET);
  }

  void setLatch(long latch) {
    LONG.set(bytes, LATCH_OFFSET, latch);
  }

  long header() {
    return (long) LONG.get(bytes, HEADER_OFFSET);
  }

  void setHeader(long header) {
    LONG.set(bytes, HEADER_OFFSET, header);
  }

  long right() {
    return (long) LONG.get(bytes, RIGHT_OFFSET);
  }

  void setRight(long right) {
    LONG.set(bytes, RIGHT_OFFSET, right);
  }

  int level() {
    return TreeNodeLayout.level(header());
  }

  int count() {
    return count;
  }

  /** Position of the newest entry, or NO_LAST. */
  int last() {
    return TreeNodeLayout.last(header());
  }

  int lowLength() {
    return u8(LOW_LENGTH_OFFSET);
  }

  /** Length of the high fence, OPEN if there is none. */
  int highLength() {
    return u8(HIGH_LENGTH_OFFSET);
  }

  int highOffset() {
    return FENCES_OFFSET + lowLength();
  }

  boolean isLeftmost() {
    return lowLength() == 0;
  }

  boolean isRightmost() {
    return u8(HIGH_LENGTH_OFFSET) == OPEN;
  }

  int prefixLength() {
    return prefixLength;
  }

  int prefixOffset() {
    return entriesOffset - prefixLength;
  }

  boolean isVariable() {
    return suffixLength == VARIABLE;
  }

  /** Length of every suffix; only if not variable. */
  int fixedSuffixLength() {
    return suffixLength;
  }

  int entriesOffset() {
    return entriesOffset;
  }

  /** Negative, 0 or positive as the low fence is below, at or above a key. */
  int compareLow(byte[] key, int length) {
    return Arrays.compareUnsigned(
        bytes, FENCES_OFFSET, FENCES_OFFSET + lowLength(), key, 0, length);
  }

  /** Negative, 0 or positive as the high fence is below, at or above a key. */
  int compareHigh(byte[] key, int length) {
    int from = highOffset();
    return isRightmost()
        ? 1
        : Arrays.compareUnsigned(bytes, from, from + highLength(), key, 0, length);
  }

  /** Negative, 0 or positive as a key is left of, in, or right of the node's range. */
  int place(byte[] key, int length) {
    if (compareHigh(key, length) <= 0) {
      return 1;
    }
    return compareLow(key, length) > 0 ? -1 : 0;
  }

  /** Whether this node's range begins where that of {@code left} ends. */
  boolean follows(Node left) {
    int from = left.highOffset();
    return !left.isRightmost()
        && Arrays.equals(
            bytes,
            FENCES_OFFSET,
            FENCES_OFFSET + lowLength(),
            left.bytes,
            from,
            from + left.highLength());
  }

  int copyLow(byte[] target) {
    System.arraycopy(bytes, FENCES_OFFSET, target, 0, lowLength());
    return lowLength();
  }

  int copyHigh(byte[] target) {
    System.arraycopy(bytes, highOffset(), target, 0, highLength());
    return highLength();
  }

  private int entry(int i) {
    int at = entriesOffset + i * stride;
    return isVariable() ? u16(at) : at;
  }

  /** Length of what is stored of a key. */
  int suffixLength(int i) {
    return isVariable() ? u8(entry(i)) : suffixLength;
  }

  int suffixOffset(int i) {
    return isVariable() ? entry(i) + SUFFIX_LENGTH_LENGTH : entry(i);
  }

  int keyLength(int i) {
    return isLow(i) ? lowLength() : prefixLength + suffixLength(i);
  }

  /** Whether the key of an entry is the low fence, and not stored with it. */
  boolean isLow(int i) {
    return i == 0 && isInner;
  }

  /** Copies the key of an entry; returns its length. */
  int copyKey(int i, byte[] target, int offset) {
    if (isLow(i)) {
      System.arraycopy(bytes, FENCES_OFFSET, target, offset, lowLength());
      return lowLength();
    }
    int suffix = suffixLength(i);
    System.arraycopy(bytes, prefixOffset(), target, offset, prefixLength);
    System.arraycopy(bytes, suffixOffset(i), target, offset + prefixLength, suffix);
    return prefixLength + suffix;
  }

  long value(int i) {
    return (long) LONG.get(bytes, valueOffset(i)) & PoolAddress.MASK;
  }

  private int valueOffset(int i) {
    int at = entry(i);
    return isVariable() ? at + SUFFIX_LENGTH_LENGTH + u8(at) : at + suffixLength;
  }

  private void putAddress(int at, long value) {
    INT.set(bytes, at, (int) value);
    SHORT.set(bytes, at + 4, (short) (value >>> 32));
  }

  /** The head (see {@link KeyBytes#head}) of a suffix. */
  long suffixHead(int i) {
    return (((long) BIG_ENDIAN.get(bytes, suffixOffset(i)) & KeyBytes.mask(suffixLength(i))))
        ^ Long.MIN_VALUE;
  }

  /** Negative, 0 or positive as a key's first bytes are below, equal to or above the prefix. */
  int comparePrefix(byte[] key, int length) {
    int from = prefixOffset();
    return Arrays.compareUnsigned(
        key, 0, Math.min(length, prefixLength), bytes, from, from + prefixLength);
  }

  /** Compares the suffix of an entry with what a key with this node's prefix has behind it. */
  int compareSuffix(int i, byte[] key, int length) {
    int from = suffixOffset(i);
    return Arrays.compareUnsigned(bytes, from, from + suffixLength(i), key, prefixLength, length);
  }

  /** Compares the key of an entry with another key. */
  int compareKey(int i, byte[] key, int length) {
    if (isLow(i)) {
      return compareLow(key, length);
    }
    int order = comparePrefix(key, length);
    return order != 0 ? -order : compareSuffix(i, key, length);
  }

  /** Position of the first entry whose key is not below the given one. */
  int lowerBound(byte[] key, int length) {
    int first = 0;
    if (isInner && count > 0) {
      if (compareLow(key, length) >= 0) {
        return 0;
      }
      first = 1;
    }
    int order = comparePrefix(key, length);
    if (order != 0) {
      return order < 0 ? first : count;
    }
    long head = KeyBytes.head(key, prefixLength, length);
    return isVariable()
        ? lowerBoundVariable(key, length, head, first)
        : lowerBoundFixed(key, length, head, first);
  }

  private int lowerBoundFixed(byte[] key, int length, long keyHead, int first) {
    long mask = KeyBytes.mask(suffixLength);
    int low = first;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long head =
          ((long) BIG_ENDIAN.get(bytes, entriesOffset + middle * stride) & mask) ^ Long.MIN_VALUE;
      if (head < keyHead || (head == keyHead && compareSuffix(middle, key, length) < 0)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int lowerBoundVariable(byte[] key, int length, long keyHead, int first) {
    int low = first;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long head = suffixHead(middle);
      if (head < keyHead || (head == keyHead && compareSuffix(middle, key, length) < 0)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether entry {@code i} exists and has that key. */
  boolean hasKeyAt(int i, byte[] key, int length) {
    return i < count && keyLength(i) == length && compareKey(i, key, length) == 0;
  }

  /** Whether an entry with that key can be added without encoding the node anew. */
  boolean hasRoom(byte[] key, int length) {
    if (count == TreeNodeLayout.COUNT_MAX
        || length < prefixLength
        || comparePrefix(key, length) != 0) {
      return false;
    }
    int suffix = length - prefixLength;
    int end = entriesOffset + (count + 1) * stride;
    return isVariable()
        ? end + SUFFIX_LENGTH_LENGTH + suffix + ADDRESS_LENGTH <= u16(HEAP_OFFSET)
        : suffix == suffixLength && end <= LENGTH;
  }

  /** Adds an entry at position {@code i}; there is room. */
  void insert(int i, byte[] key, int length, long value) {
    int at = entriesOffset + i * stride;
    int end = entriesOffset + count * stride;
    System.arraycopy(bytes, at, bytes, at + stride, end - at);
    if (isVariable()) {
      int suffix = length - prefixLength;
      int oldHeap = u16(HEAP_OFFSET);
      int heap = oldHeap - SUFFIX_LENGTH_LENGTH - suffix - ADDRESS_LENGTH;
      bytes[heap] = (byte) suffix;
      System.arraycopy(key, prefixLength, bytes, heap + SUFFIX_LENGTH_LENGTH, suffix);
      putAddress(oldHeap - ADDRESS_LENGTH, value);
      putU16(HEAP_OFFSET, heap);
      putU16(at, heap);
      noteHidden(heap, oldHeap);
      changedTo = end + stride;
    } else {
      System.arraycopy(key, prefixLength, bytes, at, suffixLength);
      putAddress(at + suffixLength, value);
      if (i == count) {
        noteHidden(at, at + stride);
      } else {
        changedTo = end + stride;
      }
    }
    setCount(count + 1, i);
  }

  private void noteHidden(int from, int to) {
    hiddenFrom = from;
    hiddenTo = to;
  }

  private void setCount(int newCount, int last) {
    count = newCount;
    setHeader(header() & ~0xFFFFL | (long) last << 8 | newCount);
  }

  /** Removes entry {@code i}. */
  void remove(int i) {
    int at = entriesOffset + i * stride;
    int end = entriesOffset + count * stride;
    System.arraycopy(bytes, at + stride, bytes, at, end - at - stride);
    changedTo = i == count - 1 ? changedTo : end;
    int last = last();
    setCount(
        count - 1,
        last == i
            ? TreeNodeLayout.NO_LAST
            : last != TreeNodeLayout.NO_LAST && last > i ? last - 1 : last);
  }

  void setValue(int i, long value) {
    putAddress(valueOffset(i), value);
    changedTo = LENGTH;
  }

  /** Bytes in use, without what removed entries have left. */
  int usedBytes() {
    if (!isVariable()) {
      return entriesOffset + count * stride;
    }
    int used = entriesOffset;
    for (int i = 0; i < count; i++) {
      used += SLOT_LENGTH + SUFFIX_LENGTH_LENGTH + suffixLength(i) + ADDRESS_LENGTH;
    }
    return used;
  }

  /** Sets the position of the newest entry. */
  void setLast(int last) {
    setHeader(header() & ~0xFF00L | (long) last << 8);
  }

  /** The right sibling has changed, and nothing else. */
  void noteRightChanged() {
    changedTo = RIGHT_OFFSET + Long.BYTES;
  }

  /** Everything has to be written back. */
  void noteAllChanged() {
    changedTo = LENGTH;
  }
}
