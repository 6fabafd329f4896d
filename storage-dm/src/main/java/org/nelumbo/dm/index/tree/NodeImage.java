package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.ADDRESS_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.FENCES_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HEADER_OFFSET;
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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Decodes a node's bytes: header, siblings, fences, entries, and searches them. A private copy of a
 * node for readers; the subclass {@link Node} can also change it. An image that no longer changes
 * and was safely published may be read by all threads.
 */
abstract class NodeImage {
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /**
   * Bytes of the node, and eight more, so that a word may be loaded from any offset of the node.
   */
  final byte[] bytes = new byte[LENGTH + Long.BYTES];

  long address;

  int count;
  int prefixLength;

  /** Length of the suffix of every entry, or VARIABLE. */
  int suffixLength;

  int entriesOffset;

  /** Distance between entries, or between slots if the suffixes have different lengths. */
  int stride;

  /**
   * True for an inner node: the key of entry 0 is the low fence; its stored suffix is meaningless.
   */
  private boolean isInner;

  /** Prepares for access after the bytes were set. */
  final void decode() {
    count = TreeNodeLayout.count(header());
    isInner = level() > 0;
    prefixLength = u8(PREFIX_LENGTH_OFFSET);
    suffixLength = u8(SUFFIX_LENGTH_OFFSET);
    entriesOffset =
        FENCES_OFFSET + lowLength() + (isRightmost() ? 0 : u8(HIGH_LENGTH_OFFSET)) + prefixLength;
    stride = isVariable() ? SLOT_LENGTH : suffixLength + ADDRESS_LENGTH;
  }

  final int u8(int at) {
    return bytes[at] & 255;
  }

  final int u16(int at) {
    return (short) SHORT.get(bytes, at) & 0xFFFF;
  }

  final long latch() {
    return (long) LONG.get(bytes, LATCH_OFFSET);
  }

  final long header() {
    return (long) LONG.get(bytes, HEADER_OFFSET);
  }

  final long right() {
    return (long) LONG.get(bytes, RIGHT_OFFSET);
  }

  final int level() {
    return TreeNodeLayout.level(header());
  }

  final int count() {
    return count;
  }

  /** Returns the position of the newest entry, or NO_LAST. */
  final int last() {
    return TreeNodeLayout.last(header());
  }

  final int lowLength() {
    return u8(LOW_LENGTH_OFFSET);
  }

  /** Returns the length of the high fence, OPEN if there is none. */
  final int highLength() {
    return u8(HIGH_LENGTH_OFFSET);
  }

  final int highOffset() {
    return FENCES_OFFSET + lowLength();
  }

  final boolean isLeftmost() {
    return lowLength() == 0;
  }

  final boolean isRightmost() {
    return u8(HIGH_LENGTH_OFFSET) == OPEN;
  }

  final int prefixLength() {
    return prefixLength;
  }

  final int prefixOffset() {
    return entriesOffset - prefixLength;
  }

  final boolean isVariable() {
    return suffixLength == VARIABLE;
  }

  /** Returns the length of every suffix; only for nodes that are not variable. */
  final int fixedSuffixLength() {
    return suffixLength;
  }

  /**
   * Returns a negative number, 0 or a positive number if the low fence is below, at or above a key.
   */
  final int compareLow(byte[] key, int length) {
    return Arrays.compareUnsigned(
        bytes, FENCES_OFFSET, FENCES_OFFSET + lowLength(), key, 0, length);
  }

  /**
   * Returns a negative number, 0 or a positive number if the high fence is below, at or above a
   * key.
   */
  final int compareHigh(byte[] key, int length) {
    int from = highOffset();
    return isRightmost()
        ? 1
        : Arrays.compareUnsigned(bytes, from, from + highLength(), key, 0, length);
  }

  /** Returns true if this node's range begins where the range of {@code left} ends. */
  final boolean follows(NodeImage left) {
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

  final int copyLow(byte[] target) {
    System.arraycopy(bytes, FENCES_OFFSET, target, 0, lowLength());
    return lowLength();
  }

  final int copyHigh(byte[] target) {
    System.arraycopy(bytes, highOffset(), target, 0, highLength());
    return highLength();
  }

  private int entry(int i) {
    int at = entriesOffset + i * stride;
    return isVariable() ? u16(at) : at;
  }

  /** Returns the length of the stored part of a key. */
  final int suffixLength(int i) {
    return isVariable() ? u8(entry(i)) : suffixLength;
  }

  final int suffixOffset(int i) {
    return isVariable() ? entry(i) + SUFFIX_LENGTH_LENGTH : entry(i);
  }

  final int keyLength(int i) {
    return isLow(i) ? lowLength() : prefixLength + suffixLength(i);
  }

  /** Returns true if the key of an entry is the low fence, which is not stored with the entry. */
  final boolean isLow(int i) {
    return i == 0 && isInner;
  }

  /** Copies the key of an entry; returns its length. */
  final int copyKey(int i, byte[] target, int offset) {
    if (isLow(i)) {
      System.arraycopy(bytes, FENCES_OFFSET, target, offset, lowLength());
      return lowLength();
    }
    int suffix = suffixLength(i);
    System.arraycopy(bytes, prefixOffset(), target, offset, prefixLength);
    System.arraycopy(bytes, suffixOffset(i), target, offset + prefixLength, suffix);
    return prefixLength + suffix;
  }

  final long value(int i) {
    return (long) LONG.get(bytes, valueOffset(i)) & PoolAddress.MASK;
  }

  final int valueOffset(int i) {
    int at = entry(i);
    return isVariable() ? at + SUFFIX_LENGTH_LENGTH + u8(at) : at + suffixLength;
  }

  /** Returns the head (see {@link KeyBytes#head}) of a suffix. */
  final long suffixHead(int i) {
    return (((long) BIG_ENDIAN.get(bytes, suffixOffset(i)) & KeyBytes.mask(suffixLength(i))))
        ^ Long.MIN_VALUE;
  }

  /**
   * Returns a negative number, 0 or a positive number if a key's first bytes are below, equal to or
   * above the prefix.
   */
  final int comparePrefix(byte[] key, int length) {
    int from = prefixOffset();
    return Arrays.compareUnsigned(
        key, 0, Math.min(length, prefixLength), bytes, from, from + prefixLength);
  }

  /** Compares the suffix of an entry with that of a key that has this node's prefix. */
  final int compareSuffix(int i, byte[] key, int length) {
    int from = suffixOffset(i);
    return Arrays.compareUnsigned(bytes, from, from + suffixLength(i), key, prefixLength, length);
  }

  /** Compares the key of an entry with another key. */
  final int compareKey(int i, byte[] key, int length) {
    if (isLow(i)) {
      return compareLow(key, length);
    }
    int order = comparePrefix(key, length);
    return order != 0 ? -order : compareSuffix(i, key, length);
  }

  /** Returns the position of the first entry whose key is not below the given one. */
  final int lowerBound(byte[] key, int length) {
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

  /** Returns true if entry {@code i} exists and has the given key. */
  final boolean hasKeyAt(int i, byte[] key, int length) {
    return i < count && keyLength(i) == length && compareKey(i, key, length) == 0;
  }
}
