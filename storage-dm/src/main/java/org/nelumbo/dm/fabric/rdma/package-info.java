/**
 * RDMA: one-sided verbs that the network card executes, over reliable connections (queue pairs) to
 * registered memory of memory nodes. The binding calls libibverbs by the foreign function
 * interface. The packages {@code fabric.tcp} and {@code node} exchange the endpoints of queue
 * pairs.
 *
 * <p>Entry types: {@link org.nelumbo.dm.fabric.rdma.RdmaDevice} and {@link
 * org.nelumbo.dm.fabric.rdma.RdmaChannel}.
 */
package org.nelumbo.dm.fabric.rdma;
