package org.nelumbo.dm.index.hash;

/**
 * Size and load factor of a hash index.
 *
 * @param entries number of entries, an estimate if there are many segments
 * @param loadFactor entries divided by all slots in the segments' lines; entries in overflow blocks
 *     count in the numerator only
 * @param bytes pool memory of segments and overflow blocks
 * @param segments number of segments
 * @param overflowBlocks number of overflow blocks, an estimate if there are many segments
 * @param depth depth of the deepest segment: the directory on a compute node has two to the power
 *     of this entries
 */
public record HashStatistics(
    long entries, double loadFactor, long bytes, long segments, long overflowBlocks, int depth) {
  /** Returns the pool bytes per entry; 0 for an empty index. */
  double bytesPerEntry() {
    return entries == 0 ? 0 : (double) bytes / entries;
  }
}
