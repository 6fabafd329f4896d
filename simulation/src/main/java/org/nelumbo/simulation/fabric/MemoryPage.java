package org.nelumbo.simulation.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A page of a memory node, accessible as words and as bytes. */
final class MemoryPage {
  static final int SHIFT = 14;
  static final int BYTES = 1 << SHIFT;

  final long[] words = new long[BYTES / Long.BYTES];
  final MemorySegment segment = MemorySegment.ofArray(words);

  void clear() {
    Arrays.fill(words, 0);
  }
}
