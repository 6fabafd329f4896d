/**
 * The ordered index: a B-link tree of 1 KiB nodes in the pool, in the style of Sherman.
 *
 * <p>Entry: {@link org.nelumbo.dm.index.tree.OrderedIndex} and its {@link
 * org.nelumbo.dm.index.tree.LeafCursor}. Where the bytes lie: {@link
 * org.nelumbo.dm.layout.TreeNodeLayout}.
 *
 * <pre>
 *  NodeImage                what the bytes of a node say, and the search in them
 *  Node, NodeBuilder        a private copy of a node: change, encode anew
 *  NodeAccess               verbs: read consistently, latch, write back, release
 *  InnerNode, InnerNodes    decoded copies of inner nodes on the compute node
 *  Navigator                from a key to a node
 *  LeafChange               insert and remove
 *  NodeSplit, NodeFilling   what a split makes of a full node; entries into copies of nodes
 *  Split, Separators        the flushes of a split, and what it owes the parent
 *  NodeRemoval, EmptyLeaves taking empty leaves out of the tree
 *  TreeRepair, TreeWalk     after a crash; checks and statistics
 * </pre>
 */
package org.nelumbo.dm.index.tree;
