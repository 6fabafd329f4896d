/**
 * RDMA: verbs that a network card does, by reliable connections (queue pairs) to memory that is
 * registered at memory nodes. The binding calls libibverbs by the foreign function interface; how
 * queue pairs find each other is the concern of {@code fabric.tcp} and {@code node}.
 *
 * <p>Entry types: {@link org.nelumbo.dm.fabric.rdma.RdmaDevice} and {@link
 * org.nelumbo.dm.fabric.rdma.RdmaChannel}.
 */
package org.nelumbo.dm.fabric.rdma;
