/**
 * The ordered index: a B-link tree of 1 KiB nodes in the pool, in the style of Sherman.
 *
 * <p>Entry points: {@link org.nelumbo.dm.index.tree.OrderedIndex}, one object per index and compute
 * node, and its {@link org.nelumbo.dm.index.tree.LeafCursor}. Batches use {@link
 * org.nelumbo.dm.index.tree.LatchedInsert}, {@link org.nelumbo.dm.index.tree.EntryRemovals} and
 * {@link org.nelumbo.dm.index.tree.PrefetchedLeaves}. The byte layout is {@link
 * org.nelumbo.dm.layout.TreeNodeLayout}.
 *
 * <p>Each line depends only on those above it:
 *
 * <pre>
 *  NodeImage, Node            a private copy of a node: search, change
 *  NodeBuilder                encodes a node anew
 *  NodeAccess                 verbs: read consistently, latch, write back, release
 *  InnerNode, InnerNodes      decoded copies of inner nodes on the compute node
 *  Workspace                  a thread's copies of the nodes it works on
 *  Navigator                  from a key to a node
 *  NodeSplit, NodeInserts     divides a full node; adds entries to copies of nodes
 *  Split, Separators          the flushes of a split; separators that are missing in the parent
 *  LeafChange                 insert and remove
 *  NodeRemoval, EmptyLeaves   removal of empty leaves from the tree
 *  LevelReader, TreeWalk      whole levels, many nodes with one flush
 *  TreeRepair, TornCheck, LeafSweeper, TreeInspection    after a crash; checks and statistics
 *  OrderedIndex               the operations; their results are in IndexResult
 *  LeafCursor, PrefetchedLeaves, LatchedInsert, EntryRemovals    users of one or many indexes
 * </pre>
 *
 * <p>Invariants (attacked by {@code TreeRepairTest}, {@code LeafGuardTest} and the model tests,
 * checked by {@link org.nelumbo.dm.index.tree.OrderedIndex#verify}):
 *
 * <ul>
 *   <li>the nodes of a level partition the keys: each begins where its left sibling ends;
 *   <li>a node is changed only under its latch; a node leaves the tree, or its low fence changes,
 *       only under the latch of its parent;
 *   <li>a thread that holds several latches waits for verbs only;
 *   <li>copies of inner nodes may be out of date: that costs steps, never correctness.
 * </ul>
 */
package org.nelumbo.dm.index.tree;
