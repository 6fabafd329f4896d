/**
 * The TCP fabric: memory nodes are processes ({@code dm.node}) that are reached over few
 * connections. The channels of all coordinators share these; their batches merge. The protocol is
 * described in {@code docs/guide/tcp-protocol.md}; {@link org.nelumbo.dm.fabric.tcp.Wire} has its
 * numbers.
 *
 * <p>Entry: {@link org.nelumbo.dm.fabric.tcp.TcpFabric} for a pool with one copy, {@link
 * org.nelumbo.dm.fabric.tcp.TcpNode} for a node of a replicated one. A flush goes this way: {@code
 * TcpChannel} collects verbs in a {@code Request} for each node; {@code NodeLink} sends the frames
 * of all channels of a connection in order, and one of the waiting threads receives the responses
 * for all; {@code SpinThenBlock} decides how long it spins before it sleeps. {@code Handshake}
 * opens connections, with {@code Tls} if asked for.
 *
 * <p><b>Threads.</b> A channel belongs to one thread; a link is shared and thread-safe. A heartbeat
 * thread for each link sends empty frames, so that memory nodes know that the owner is alive, and
 * firewalls that the connection is.
 */
package org.nelumbo.dm.fabric.tcp;
