package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.ADDRESS_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.FENCES_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HEADER_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.HEAP_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LATCH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.RIGHT_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.SLOT_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.SUFFIX_LENGTH_LENGTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.nelumbo.dm.layout.TreeNodeLayout;

/**
 * A private copy of a node. Readers search it; the holder of the latch changes it before it writes
 * it back. Reusable. Not thread-safe while it changes.
 *
 * <p>A change records the bytes that must be written back, in two parts: bytes that no entry refers
 * to until the header is written, and the rest.
 */
final class Node extends NodeImage {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /**
   * True for a leaf that this thread has exclusively by its guard: its latch word is written with
   * the first change, and is free in this copy until then.
   */
  boolean isOwned;

  /** Header word as it is in the pool. */
  long poolHeader;

  /** Start of the bytes to be written back first: they are not used before the header changes. */
  int hiddenFrom;

  int hiddenTo;

  /**
   * End of the bytes to be written back in one WRITE, from the header word on; 0 if there are none.
   */
  int changedTo;

  /** Loads a copy from the staging buffer. */
  void load(MemorySegment staging, long offset, long nodeAddress) {
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, offset, bytes, 0, LENGTH);
    address = nodeAddress;
    isOwned = false;
    poolHeader = header();
    parse();
  }

  /** Loads an image of a leaf that this thread has exclusively. */
  void loadImage(byte[] image, long nodeAddress) {
    System.arraycopy(image, 0, bytes, 0, LENGTH);
    address = nodeAddress;
    isOwned = true;
    poolHeader = header();
    parse();
  }

  /** Returns an image of this leaf; null if it is not as in the pool, or is latched there. */
  byte[] toImage() {
    boolean isSame = hiddenTo == hiddenFrom && changedTo == 0 && header() == poolHeader;
    boolean isFree = TreeNodeLayout.owner(latch()) == TreeNodeLayout.FREE;
    return isOwned && isSame && isFree ? bytes.clone() : null;
  }

  /** Copies another node. */
  void copyFrom(Node other) {
    System.arraycopy(other.bytes, 0, bytes, 0, LENGTH);
    address = other.address;
    isOwned = other.isOwned;
    poolHeader = other.poolHeader;
    parse();
  }

  /**
   * Takes address, latch, version and siblings from another node, so that it can be encoded anew.
   */
  void become(Node other) {
    System.arraycopy(other.bytes, 0, bytes, 0, FENCES_OFFSET);
    address = other.address;
    isOwned = other.isOwned;
    poolHeader = other.poolHeader;
  }

  /** Prepares for access after the bytes were set from outside. */
  void parse() {
    decode();
    hiddenTo = hiddenFrom;
    changedTo = 0;
  }

  private void putU16(int at, int value) {
    SHORT.set(bytes, at, (short) value);
  }

  void setLatch(long latch) {
    LONG.set(bytes, LATCH_OFFSET, latch);
  }

  void setHeader(long header) {
    LONG.set(bytes, HEADER_OFFSET, header);
  }

  void setRight(long right) {
    LONG.set(bytes, RIGHT_OFFSET, right);
  }

  private void putAddress(int at, long value) {
    INT.set(bytes, at, (int) value);
    SHORT.set(bytes, at + 4, (short) (value >>> 32));
  }

  /** Returns true if an entry with the given key can be added without encoding the node anew. */
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

  /** Adds an entry at position {@code i}; the caller has checked that there is room. */
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
      changedTo = Math.max(changedTo, end + stride);
    } else {
      System.arraycopy(key, prefixLength, bytes, at, suffixLength);
      putAddress(at + suffixLength, value);
      if (i == count) {
        noteHidden(at, at + stride);
      } else {
        changedTo = Math.max(changedTo, end + stride);
      }
    }
    setCount(count + 1, i);
  }

  private void noteHidden(int from, int to) {
    boolean first = hiddenTo == hiddenFrom;
    hiddenFrom = first ? from : Math.min(hiddenFrom, from);
    hiddenTo = first ? to : Math.max(hiddenTo, to);
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

  /** Returns the bytes in use, without the remains of removed entries. */
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

  /** Records that the right sibling has changed, and nothing else. */
  void noteRightChanged() {
    changedTo = RIGHT_OFFSET + Long.BYTES;
  }

  /** Records that everything must be written back. */
  void noteAllChanged() {
    changedTo = LENGTH;
  }
}
