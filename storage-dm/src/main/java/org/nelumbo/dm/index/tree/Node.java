package org.nelumbo.dm.index.tree;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * A private copy of a node with its keys decoded on demand: what readers search, what the inner-node cache keeps, and what a writer changes before it writes it back.
 * Not thread-safe while it is being changed; safely published copies may be read by all.
 */
final class Node {
  final byte[] bytes = new byte[NodeLayout.LENGTH];
  private final MemorySegment segment = MemorySegment.ofArray(bytes);
  long address;

  /** Takes over a copy of the node from the staging buffer. */
  void load(MemorySegment staging, int offset, long nodeAddress) {
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, offset, bytes, 0, NodeLayout.LENGTH);
    address = nodeAddress;
  }

  void store(MemorySegment staging, int offset) {
    MemorySegment.copy(bytes, 0, staging, ValueLayout.JAVA_BYTE, offset, NodeLayout.LENGTH);
  }

  private int u16(int at) {
    return (bytes[at] & 0xFF) | (bytes[at + 1] & 0xFF) << 8;
  }

  private void putU16(int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
  }

  private long u64(int at) {
    return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  private void putU64(int at, long value) {
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
  }

  long right() {
    return u64(NodeLayout.RIGHT_OFFSET);
  }

  void setRight(long right) {
    putU64(NodeLayout.RIGHT_OFFSET, right);
  }

  long left() {
    return u64(NodeLayout.LEFT_OFFSET);
  }

  void setLeft(long left) {
    putU64(NodeLayout.LEFT_OFFSET, left);
  }

  int level() {
    return bytes[NodeLayout.LEVEL_OFFSET];
  }

  int count() {
    return u16(NodeLayout.COUNT_OFFSET);
  }

  private int heap() {
    return u16(NodeLayout.HEAP_OFFSET);
  }

  int prefixLength() {
    return u16(NodeLayout.PREFIX_OFFSET);
  }

  int lowOffset() {
    return u16(NodeLayout.LOW_OFFSET);
  }

  int lowLength() {
    return u16(NodeLayout.LOW_LENGTH_OFFSET);
  }

  int highOffset() {
    return u16(NodeLayout.HIGH_OFFSET);
  }

  int highLength() {
    return u16(NodeLayout.HIGH_LENGTH_OFFSET);
  }

  boolean isRightmost() {
    return highLength() == NodeLayout.OPEN;
  }

  /** Makes this an empty node for the range [low, high); {@code high} null is open. */
  void init(long nodeAddress, int level, byte[] low, byte[] high) {
    address = nodeAddress;
    Arrays.fill(bytes, (byte) 0);
    bytes[NodeLayout.LEVEL_OFFSET] = (byte) level;
    int heap = NodeLayout.LENGTH;
    heap = putFence(heap, low, NodeLayout.LOW_OFFSET);
    if (high == null) {
      putU16(NodeLayout.HIGH_LENGTH_OFFSET, NodeLayout.OPEN);
    } else {
      heap = putFence(heap, high, NodeLayout.HIGH_OFFSET);
    }
    putU16(NodeLayout.HEAP_OFFSET, heap);
    int shared = high == null ? 0 : Arrays.mismatch(low, high);
    putU16(NodeLayout.PREFIX_OFFSET, Math.max(shared, 0));
  }

  private int putFence(int heap, byte[] fence, int at) {
    int offset = heap - fence.length;
    System.arraycopy(fence, 0, bytes, offset, fence.length);
    putU16(at, offset);
    putU16(at + 2, fence.length);
    return offset;
  }

  /** Below 0, 0 or above 0 as the key is left of, in, or right of the node's range. */
  int place(byte[] key, int length) {
    if (lowLength() > 0 && compare(lowOffset(), lowLength(), key, 0, length) > 0) {
      return -1;
    }
    return !isRightmost() && compare(highOffset(), highLength(), key, 0, length) <= 0 ? 1 : 0;
  }

  private int compare(int offset, int length, byte[] key, int from, int to) {
    return Arrays.compareUnsigned(bytes, offset, offset + length, key, from, to);
  }

  private int slot(int i) {
    return u16(NodeLayout.SLOTS_OFFSET + i * NodeLayout.SLOT_LENGTH);
  }

  int suffixLength(int i) {
    return bytes[slot(i)] & 0xFF;
  }

  int suffixOffset(int i) {
    return slot(i) + 1;
  }

  long value(int i) {
    int at = slot(i);
    return NodeLayout.address(segment, at + 1 + (bytes[at] & 0xFF));
  }

  /** Index of the first entry whose key is not below the given one; the key is in the node's range. */
  int lowerBound(byte[] key, int length) {
    int prefix = Math.min(prefixLength(), length);
    int low = 0;
    int high = count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareSuffix(middle, key, prefix, length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compareSuffix(int i, byte[] key, int prefix, int length) {
    int at = slot(i);
    return compare(at + 1, bytes[at] & 0xFF, key, prefix, length);
  }

  boolean hasKeyAt(int i, byte[] key, int length) {
    return i < count() && length >= prefixLength() && compareSuffix(i, key, prefixLength(), length) == 0;
  }

  /** Compares the key of an entry with another key. */
  int compareKey(int i, byte[] key, int length) {
    int prefix = prefixLength();
    int shared = Math.min(prefix, length);
    int order = Arrays.compareUnsigned(bytes, lowOffset(), lowOffset() + prefix, key, 0, shared);
    return order != 0 ? order : compareSuffix(i, key, shared, length);
  }

  /** The child that covers a key in this inner node's range. */
  long child(byte[] key, int length) {
    int i = lowerBound(key, length);
    return value(hasKeyAt(i, key, length) ? i : i - 1);
  }

  /** The child with the largest keys below {@code key}, for descending searches; the last one for an open bound. */
  long childBelow(byte[] key, int length) {
    int i = length == 0 ? count() : lowerBound(key, length);
    return value(Math.max(i - 1, 0));
  }

  /** Copies the key of an entry; answers its length. */
  int copyKey(int i, byte[] target, int offset) {
    int prefix = prefixLength();
    int suffix = suffixLength(i);
    System.arraycopy(bytes, lowOffset(), target, offset, prefix);
    System.arraycopy(bytes, suffixOffset(i), target, offset + prefix, suffix);
    return prefix + suffix;
  }

  byte[] key(int i) {
    byte[] key = new byte[prefixLength() + suffixLength(i)];
    copyKey(i, key, 0);
    return key;
  }

  byte[] low() {
    return Arrays.copyOfRange(bytes, lowOffset(), lowOffset() + lowLength());
  }

  /** The high fence, or null if it is open. */
  byte[] high() {
    return isRightmost() ? null : Arrays.copyOfRange(bytes, highOffset(), highOffset() + highLength());
  }

  /** Whether an entry with that key fits without reorganising the node. */
  boolean hasRoom(int keyLength) {
    int slotsEnd = NodeLayout.SLOTS_OFFSET + (count() + 1) * NodeLayout.SLOT_LENGTH;
    return heap() - slotsEnd >= keyLength - prefixLength() + NodeLayout.ENTRY_OVERHEAD;
  }

  /** Adds an entry at position {@code i}; there is room. */
  void insert(int i, byte[] key, int length, long value) {
    int prefix = prefixLength();
    int suffix = length - prefix;
    int at = heap() - suffix - NodeLayout.ENTRY_OVERHEAD;
    bytes[at] = (byte) suffix;
    System.arraycopy(key, prefix, bytes, at + 1, suffix);
    NodeLayout.putAddress(segment, at + 1 + suffix, value);
    int slots = NodeLayout.SLOTS_OFFSET;
    int count = count();
    int from = slots + i * NodeLayout.SLOT_LENGTH;
    System.arraycopy(bytes, from, bytes, from + NodeLayout.SLOT_LENGTH, (count - i) * NodeLayout.SLOT_LENGTH);
    putU16(from, at);
    putU16(NodeLayout.COUNT_OFFSET, count + 1);
    putU16(NodeLayout.HEAP_OFFSET, at);
    putU16(NodeLayout.LAST_INSERT_OFFSET, i);
  }

  /** Whether an insert at position {@code i} goes on an ascending run: the last one was right before it. */
  boolean continuesRun(int i) {
    return i == count() || (i > 0 && u16(NodeLayout.LAST_INSERT_OFFSET) == i - 1);
  }

  /** Takes over latch word and siblings of another copy of this node. */
  void linkLike(Node other) {
    putU64(NodeLayout.LATCH_OFFSET, other.u64(NodeLayout.LATCH_OFFSET));
    setRight(other.right());
    setLeft(other.left());
  }

  long latchWord() {
    return u64(NodeLayout.LATCH_OFFSET);
  }

  void setValue(int i, long value) {
    NodeLayout.putAddress(segment, suffixOffset(i) + suffixLength(i), value);
  }

  void remove(int i) {
    int count = count();
    int to = NodeLayout.SLOTS_OFFSET + i * NodeLayout.SLOT_LENGTH;
    System.arraycopy(bytes, to + NodeLayout.SLOT_LENGTH, bytes, to, (count - i - 1) * NodeLayout.SLOT_LENGTH);
    putU16(NodeLayout.COUNT_OFFSET, count - 1);
    if (count == 1) {
      putU16(NodeLayout.HEAP_OFFSET, Math.min(lowOffset(), isRightmost() ? NodeLayout.LENGTH : highOffset()));
    }
  }

  /** A node of that range with some of the entries of another; null if it has too little room for them. */
  static Node part(Node node, long address, int from, int to, byte[] low, byte[] high) {
    Node part = new Node();
    part.init(address, node.level(), low, high);
    return part.appendFrom(node, from, to) ? part : null;
  }

  /** Copies entries {@code from} to {@code to} of another node to the end of this one; false if there is no room for them. */
  boolean appendFrom(Node other, int from, int to) {
    byte[] key = new byte[NodeLayout.MAX_KEY];
    for (int i = from; i < to; i++) {
      int length = other.copyKey(i, key, 0);
      if (!hasRoom(length)) {
        return false;
      }
      insert(count(), key, length, other.value(i));
    }
    return true;
  }
}
