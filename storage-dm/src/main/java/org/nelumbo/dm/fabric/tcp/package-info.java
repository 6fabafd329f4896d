/**
 * The TCP fabric: memory nodes are processes ({@code dm.node}) that are accessed over a few
 * connections. The channels of all coordinators share these, and their batches merge. The protocol
 * is described in {@code docs/guide/tcp-protocol.md}; {@link org.nelumbo.dm.fabric.tcp.Wire}
 * contains its numbers.
 *
 * <p>Entry: {@link org.nelumbo.dm.fabric.tcp.TcpFabric} for a pool with one copy, {@link
 * org.nelumbo.dm.fabric.tcp.TcpNode} for a node of a replicated one. The path of a flush:
 *
 * <ol>
 *   <li>{@code TcpChannel} collects verbs in a {@code Request} for each node.
 *   <li>{@code NodeLink} sends the frames of all channels of a connection in order.
 *   <li>One of the waiting threads receives the responses for all; {@code SpinThenBlock} decides
 *       how long it spins before it sleeps.
 * </ol>
 *
 * <p>{@code Handshake} opens connections, with {@code Tls} if requested.
 *
 * <p><b>Threads.</b> A channel belongs to one thread; a link is shared and thread-safe. A heartbeat
 * thread for each link sends empty frames, so that memory nodes detect that the owner is alive, and
 * firewalls keep the connection.
 */
package org.nelumbo.dm.fabric.tcp;
