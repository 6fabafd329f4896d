package org.nelumbo.dm.index.hash;

/**
 * Size and filling of a hash index.
 *
 * @param entries number of entries, an estimate if there are many segments
 * @param loadFactor slots in use, of all slots in the segments' lines; entries in overflow blocks
 *     count in the numerator only
 * @param bytes pool memory of segments and overflow blocks
 * @param segments number of segments
 * @param overflowBlocks number of overflow blocks, an estimate if there are many segments
 * @param depth of the deepest segment: the directory on a compute node has two to the power of this
 *     entries
 */
public record HashStatistics(
    long entries, double loadFactor, long bytes, long segments, long overflowBlocks, int depth) {
  /** Pool bytes an entry; 0 if there is none. */
  double bytesPerEntry() {
    return entries == 0 ? 0 : (double) bytes / entries;
  }
}
