/**
 * The layout of the memory pool in bytes: one descriptor class for each structure. A descriptor has
 * a picture, offsets, lengths and the rules by which a write becomes visible. It has no state and
 * does no I/O. Words are little-endian. Each offset is the sum of an earlier offset and its length,
 * so that fields cannot overlap.
 *
 * <h2>Content of a memory node</h2>
 *
 * <pre>
 *        0  +------------------------------------------------------------+
 *           |  superblock (SuperblockLayout)                             |
 *     4096  +------------------------------------------------------------+
 *           |  chunks that allocators took by FAA on the bump word, cut  |
 *           |  into blocks of 60 size classes (SizeClass)                |
 *     bump  +------------------------------------------------------------+
 *           |  never allocated                                           |
 *     bytes +------------------------------------------------------------+
 * </pre>
 *
 * A memory node of a pool with several copies begins with a page of its own ({@link
 * NodeHeaderLayout}); the slots follow, each with a copy of one logical node as drawn above.
 *
 * <p>All structures can be found from the superblock of node 0:
 *
 * <pre>
 * superblock --+-- catalogue root: hash index and ordered index of the table of tables
 *              |     hash index:    segments (HashSegmentLayout) of slots (HashSlotLayout)
 *              |     ordered index: root block and nodes of 1 KiB (TreeNodeLayout)
 *              |       entry --> CVT (CvtLayout): header and cells (CellLayout), one per version
 *              |                   cell --> record (RecordLayout), often in the CVT's block
 *              |                   CVT  --> overflow blocks (OverflowLayout): older cells
 *              +-- logs of coordinators (LogLayout): the cells that a transaction writes
 *              +-- free-space map (FreeSpaceMapLayout), only after a clean shutdown
 * </pre>
 *
 * Tables other than the catalogue are found by its rows.
 *
 * <h2>Reading during concurrent writes</h2>
 *
 * A READ is torn at words: each aligned 8-byte word is whole, the order of words is unknown. Every
 * structure that is read without a latch therefore shows whether a copy is valid:
 *
 * <ul>
 *   <li>a cell has the same counter in both of its words;
 *   <li>a tree node has a header word with a version and a mark of being written;
 *   <li>words of a hash segment carry the segment's depth as a tag;
 *   <li>a record is complete before a cell points to it, and is not changed afterwards;
 *   <li>logs, view records and the free-space map have checksums;
 *   <li>superblock and node header are valid once their magic, the last word, is written.
 * </ul>
 *
 * <h2>Format version</h2>
 *
 * The superblock has two words that a compute node compares before it uses a pool ({@code
 * PoolFormat}): the format version ({@link SuperblockLayout#FORMAT}), and the layout parameters
 * ({@link SuperblockLayout#PARAMETERS}), which combine the sizes that could differ between builds.
 * If either differs, the pool is refused and left unchanged. There is no upgrade in place: the
 * version that wrote a pool opens it, and the data is copied by SQL.
 *
 * <p><b>To raise the version</b>, when a change makes old pools unreadable or lets old builds
 * misread new ones:
 *
 * <ol>
 *   <li>change the descriptor, its picture and its test;
 *   <li>add one to {@link SuperblockLayout#FORMAT} and describe the change in its comment; for the
 *       header of a node with copies {@link NodeHeaderLayout#FORMAT}, which may continue to read
 *       earlier versions ({@link NodeHeaderLayout#isReadable});
 *   <li>if only a size changes, add it to {@link SuperblockLayout#PARAMETERS} instead;
 *   <li>leave magic, format word and node bytes where they are: every version must be able to
 *       report the format that it found.
 * </ol>
 *
 * A new word in unused space that is 0 in old pools, where 0 has no effect, needs no new version.
 *
 * <p>Depends on {@link org.nelumbo.dm.pool.PoolAddress} only. Accessors take a segment and an
 * offset in it, allocate nothing and may be called by any thread.
 */
package org.nelumbo.dm.layout;
