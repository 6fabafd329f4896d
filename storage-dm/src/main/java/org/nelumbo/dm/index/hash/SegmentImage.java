package org.nelumbo.dm.index.hash;

import java.util.Arrays;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;

/** A private copy of a segment on the heap, or a segment under construction. */
final class SegmentImage {
  private static final int WORDS = HashSegmentLayout.LENGTH / Long.BYTES;
  private static final int FIRST_LINE_WORD = HashSegmentLayout.LINES_OFFSET / Long.BYTES;

  private final long[] words = new long[WORDS];

  void load(Channel channel, long segment) {
    BulkCopy.read(channel, segment, words, 0, WORDS);
  }

  void store(Channel channel, long segment) {
    BulkCopy.write(channel, segment, words, 0, WORDS);
  }

  void storeLines(Channel channel, long segment) {
    BulkCopy.write(channel, segment, words, FIRST_LINE_WORD, WORDS);
  }

  /** Makes this the image of an empty segment, with a head of zeros. */
  void clear(int depth) {
    Arrays.fill(words, 0, FIRST_LINE_WORD, 0L);
    Arrays.fill(words, FIRST_LINE_WORD, WORDS, HashSlotLayout.free(depth));
    for (int line = 0; line < HashSegmentLayout.LINES; line += 2) {
      setHeader(line, HashSlotLayout.header(depth, 0L));
    }
  }

  /** Returns a word of the head. */
  long head(int offset) {
    return words[offset / Long.BYTES];
  }

  void setHead(int offset, long word) {
    words[offset / Long.BYTES] = word;
  }

  long header(int line) {
    return words[HashSegmentLayout.lineOffset(line) / Long.BYTES];
  }

  void setHeader(int line, long header) {
    words[HashSegmentLayout.lineOffset(line) / Long.BYTES] = header;
  }

  /** Returns true if all lines have the depth {@code depth}, that is, the copy is not torn. */
  boolean isWhole(int depth) {
    long tags = 0;
    for (int i = FIRST_LINE_WORD; i < WORDS; i++) {
      tags |= words[i] ^ HashSlotLayout.free(depth);
    }
    boolean whole = tags >>> HashSlotLayout.TAG_SHIFT == 0;
    for (int line = 0; line < HashSegmentLayout.LINES; line += 2) {
      whole &= HashSlotLayout.headerDepth(header(line)) == depth;
    }
    return whole;
  }

  /** Adds the used slots to {@code out}; the image does not include slots in overflow blocks. */
  void collectSlots(LongList out) {
    for (int line = 0; line < HashSegmentLayout.LINES; line++) {
      collectSlots(line, out);
    }
  }

  void collectSlots(int line, LongList out) {
    int first = HashSegmentLayout.lineOffset(line) / Long.BYTES;
    for (int i = first + 1 - (line & 1); i < first + HashSegmentLayout.LINE_WORDS; i++) {
      if (!HashSlotLayout.isFree(words[i])) {
        out.add(words[i]);
      }
    }
  }

  /** Adds the heads of the overflow chains to {@code out}. */
  void collectChains(LongList out) {
    for (int line = 0; line < HashSegmentLayout.LINES; line += 2) {
      if (HashSlotLayout.address(header(line)) != 0) {
        out.add(HashSlotLayout.address(header(line)));
      }
    }
  }

  int usedSlots() {
    int used = 0;
    for (int line = 0; line < HashSegmentLayout.LINES; line++) {
      used += (line & 1) + HashSegmentLayout.LINE_WORDS - 1 - freeSlots(line);
    }
    return used;
  }

  int freeSlots(int line) {
    int free = 0;
    int first = HashSegmentLayout.lineOffset(line) / Long.BYTES;
    for (int i = first; i < first + HashSegmentLayout.LINE_WORDS; i++) {
      free += HashSlotLayout.isFree(words[i]) ? 1 : 0;
    }
    return free;
  }

  /** Puts a slot into the emptier line of a home's window; returns false if both are full. */
  boolean place(int home, long slot) {
    int line = freeSlots(home) >= freeSlots(home + 1) ? home : home + 1;
    int first = HashSegmentLayout.lineOffset(line) / Long.BYTES;
    for (int i = first; i < first + HashSegmentLayout.LINE_WORDS; i++) {
      if (HashSlotLayout.isFree(words[i])) {
        words[i] = slot;
        return true;
      }
    }
    return false;
  }
}
