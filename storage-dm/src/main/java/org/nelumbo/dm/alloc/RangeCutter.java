package org.nelumbo.dm.alloc;

import org.nelumbo.dm.layout.SizeClass;

/** Cuts free ranges of pool memory into blocks of the size classes. */
final class RangeCutter {
  private RangeCutter() {}

  /**
   * Cuts a range into the largest blocks that fit and are aligned.
   *
   * @param start address, a multiple of 16; so is {@code end}
   * @param free receives the blocks, by class
   */
  static void cut(long start, long end, LongStack[] free) {
    assert start <= end && ((start | end) & 15) == 0 : "start=" + start + " end=" + end;
    long at = start;
    while (at < end) {
      int sizeClass = SizeClass.within(end - at);
      while ((at & SizeClass.alignment(sizeClass) - 1) != 0) {
        sizeClass--;
      }
      free[sizeClass].push(at);
      at += SizeClass.bytes(sizeClass);
    }
  }
}
