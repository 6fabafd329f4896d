/**
 * The memory node: a process that does nothing but verbs on its memory, for one compute node at a
 * time. Entry: {@link org.nelumbo.dm.node.MemoryNode}; the protocol is in {@code
 * docs/guide/tcp-protocol.md}.
 */
package org.nelumbo.dm.node;
