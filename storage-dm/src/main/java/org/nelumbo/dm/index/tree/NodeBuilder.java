package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.ADDRESS_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.FENCES_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;
import static org.nelumbo.dm.layout.TreeNodeLayout.LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.NO_LAST;
import static org.nelumbo.dm.layout.TreeNodeLayout.OPEN;
import static org.nelumbo.dm.layout.TreeNodeLayout.SLOT_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.SUFFIX_LENGTH_LENGTH;
import static org.nelumbo.dm.layout.TreeNodeLayout.VARIABLE;

import java.util.Arrays;
import org.nelumbo.dm.layout.TreeNodeLayout;

/**
 * Encodes a node anew from some entries of another node, optionally with an additional entry, and
 * the given fences. It uses the longest common prefix, and the fixed-length form if the keys allow
 * it. Reusable, allocates nothing; not thread-safe.
 */
final class NodeBuilder {
  private final byte[] low = new byte[KEY_LENGTH_MAX];
  private final byte[] high = new byte[KEY_LENGTH_MAX];
  private int lowLength;
  private int highLength;

  private Node source;
  private int from;
  private int count;

  /** Position of the additional entry in the result, -1 if there is none. */
  private int added;

  private byte[] addedKey;
  private int addedLength;
  private long addedValue;

  /**
   * Number of keys at the beginning that are not stored: 1 if the first key is an inner node's low
   * fence.
   */
  private int skipped;

  private final byte[] first = new byte[KEY_LENGTH_MAX];
  private final byte[] last = new byte[KEY_LENGTH_MAX];

  /** Sets both fences to those of a node. */
  NodeBuilder fencesOf(Node node) {
    return lowOf(node).highOf(node);
  }

  NodeBuilder lowOf(Node node) {
    lowLength = node.copyLow(low);
    return this;
  }

  NodeBuilder highOf(Node node) {
    highLength = node.isRightmost() ? OPEN : node.copyHigh(high);
    return this;
  }

  NodeBuilder low(byte[] fence, int length) {
    System.arraycopy(fence, 0, low, 0, length);
    lowLength = length;
    return this;
  }

  NodeBuilder high(byte[] fence, int length) {
    System.arraycopy(fence, 0, high, 0, length);
    highLength = length;
    return this;
  }

  /** Sets open fences. */
  NodeBuilder allKeys() {
    lowLength = 0;
    highLength = OPEN;
    return this;
  }

  /** Selects entries {@code [begin, end)} of a node. */
  NodeBuilder entries(Node node, int begin, int end) {
    source = node;
    from = begin;
    count = end - begin;
    added = -1;
    return this;
  }

  NodeBuilder noEntries() {
    return entries(null, 0, 0);
  }

  /** Adds an entry at {@code position} of the result. */
  NodeBuilder add(int position, byte[] key, int length, long value) {
    added = position;
    addedKey = key;
    addedLength = length;
    addedValue = value;
    count++;
    return this;
  }

  /**
   * Encodes into {@code target}, whose latch word, version and right sibling stay unchanged.
   *
   * @return false, with the target unchanged, if it does not fit
   */
  boolean build(Node target, int level) {
    skipped = level > 0 && count > 0 ? 1 : 0;
    int prefix = choosePrefix();
    int suffix = uniformSuffix(prefix);
    int highBytes = highLength == OPEN ? 0 : highLength;
    int entriesOffset = FENCES_OFFSET + lowLength + highBytes + prefix;
    int bytes = suffix == VARIABLE ? variableBytes(prefix) : count * (suffix + ADDRESS_LENGTH);
    if (entriesOffset + bytes > LENGTH || count > TreeNodeLayout.COUNT_MAX) {
      return false;
    }
    byte[] to = target.bytes;
    to[TreeNodeLayout.LOW_LENGTH_OFFSET] = (byte) lowLength;
    to[TreeNodeLayout.HIGH_LENGTH_OFFSET] = (byte) highLength;
    to[TreeNodeLayout.PREFIX_LENGTH_OFFSET] = (byte) prefix;
    to[TreeNodeLayout.SUFFIX_LENGTH_OFFSET] = (byte) suffix;
    Arrays.fill(to, TreeNodeLayout.HEAP_OFFSET, FENCES_OFFSET, (byte) 0);
    System.arraycopy(low, 0, to, FENCES_OFFSET, lowLength);
    System.arraycopy(high, 0, to, FENCES_OFFSET + lowLength, highBytes);
    System.arraycopy(first, 0, to, entriesOffset - prefix, prefix);
    if (suffix == VARIABLE) {
      writeVariable(to, entriesOffset, prefix);
    } else {
      writeFixed(to, entriesOffset, prefix, suffix + ADDRESS_LENGTH);
    }
    int version = (int) (target.header() >>> 32);
    target.setHeader(TreeNodeLayout.header(version, level, count, added < 0 ? NO_LAST : added));
    target.parse();
    target.noteAllChanged();
    return true;
  }

  private int index(int i) {
    return from + (added >= 0 && i > added ? i - 1 : i);
  }

  private int keyLength(int i) {
    return i == added ? addedLength : source.keyLength(index(i));
  }

  private int copyKey(int i, byte[] target) {
    if (i == added) {
      System.arraycopy(addedKey, 0, target, 0, addedLength);
      return addedLength;
    }
    return source.copyKey(index(i), target, 0);
  }

  /**
   * Returns the length of the prefix that the first and the last stored key share. For a single key
   * it is the prefix shared with the low fence less one byte, since the next key in a run is likely
   * to share it.
   */
  private int choosePrefix() {
    int stored = count - skipped;
    if (stored == 0) {
      return 0;
    }
    int firstLength = copyKey(skipped, first);
    if (stored == 1) {
      return Math.max(KeyBytes.common(low, lowLength, first, firstLength) - 1, 0);
    }
    int lastLength = copyKey(count - 1, last);
    return KeyBytes.common(first, firstLength, last, lastLength);
  }

  private int uniformSuffix(int prefix) {
    if (count == skipped) {
      return VARIABLE;
    }
    int length = keyLength(skipped);
    for (int i = skipped + 1; i < count; i++) {
      if (keyLength(i) != length) {
        return VARIABLE;
      }
    }
    return length - prefix;
  }

  private int variableBytes(int prefix) {
    int bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += SLOT_LENGTH + SUFFIX_LENGTH_LENGTH + suffixLength(i, prefix) + ADDRESS_LENGTH;
    }
    return bytes;
  }

  private int suffixLength(int i, int prefix) {
    return i < skipped ? 0 : keyLength(i) - prefix;
  }

  private void writeFixed(byte[] to, int offset, int prefix, int stride) {
    int at = offset;
    for (int i = 0; i < count; i++, at += stride) {
      int suffix = stride - ADDRESS_LENGTH;
      if (i < skipped) {
        Arrays.fill(to, at, at + suffix, (byte) 0);
        writeAddress(i, to, at + suffix);
      } else {
        writeSuffixAndAddress(i, to, at, prefix, suffix);
      }
    }
    Arrays.fill(to, at, LENGTH, (byte) 0);
  }

  private void writeVariable(byte[] to, int offset, int prefix) {
    int slot = offset;
    int heap = LENGTH;
    for (int i = 0; i < count; i++, slot += SLOT_LENGTH) {
      int suffix = suffixLength(i, prefix);
      heap -= SUFFIX_LENGTH_LENGTH + suffix + ADDRESS_LENGTH;
      to[heap] = (byte) suffix;
      writeSuffixAndAddress(i, to, heap + SUFFIX_LENGTH_LENGTH, prefix, suffix);
      to[slot] = (byte) heap;
      to[slot + 1] = (byte) (heap >>> 8);
    }
    Arrays.fill(to, slot, heap, (byte) 0);
    to[TreeNodeLayout.HEAP_OFFSET] = (byte) heap;
    to[TreeNodeLayout.HEAP_OFFSET + 1] = (byte) (heap >>> 8);
  }

  private void writeSuffixAndAddress(int i, byte[] to, int at, int prefix, int suffix) {
    if (i == added) {
      System.arraycopy(addedKey, prefix, to, at, suffix);
    } else if (suffix > 0) {
      copySuffix(index(i), prefix, suffix, to, at);
    }
    writeAddress(i, to, at + suffix);
  }

  private void writeAddress(int i, byte[] to, int at) {
    long value = i == added ? addedValue : source.value(index(i));
    for (int b = 0; b < ADDRESS_LENGTH; b++) {
      to[at + b] = (byte) (value >>> (8 * b));
    }
  }

  /**
   * Copies the part of a key of the source after the new prefix, which may be shorter or longer
   * than the old one.
   */
  private void copySuffix(int i, int prefix, int suffix, byte[] to, int at) {
    if (source.isLow(i)) {
      System.arraycopy(source.bytes, FENCES_OFFSET + prefix, to, at, suffix);
      return;
    }
    int oldPrefix = source.prefixLength();
    int fromPrefix = Math.max(oldPrefix - prefix, 0);
    System.arraycopy(
        source.bytes, source.prefixOffset() + oldPrefix - fromPrefix, to, at, fromPrefix);
    int skip = Math.max(prefix - oldPrefix, 0);
    System.arraycopy(
        source.bytes, source.suffixOffset(i) + skip, to, at + fromPrefix, suffix - fromPrefix);
  }
}
