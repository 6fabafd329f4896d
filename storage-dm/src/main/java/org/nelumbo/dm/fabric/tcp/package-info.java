/**
 * The TCP fabric: memory nodes are processes ({@code dm.node}) that are reached over few
 * connections, which the channels of all coordinators share; their batches merge. The protocol is
 * described in {@code docs/guide/tcp-protocol.md}; {@link org.nelumbo.dm.fabric.tcp.Wire} holds its
 * numbers. Entry: {@link org.nelumbo.dm.fabric.tcp.TcpFabric}.
 */
package org.nelumbo.dm.fabric.tcp;
