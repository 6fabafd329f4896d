/**
 * The memory node: a process that executes verbs on its memory, for one compute node exclusively or
 * for several that share it. It does not interpret the content of the memory. Entry: {@link
 * org.nelumbo.dm.node.MemoryNode}; the protocol is described in {@code docs/guide/tcp-protocol.md}.
 *
 * <p>The life of a connection:
 *
 * <ol>
 *   <li>{@code MemoryNode} accepts it and starts a {@code PeerConnection}, which has its own
 *       thread. It agrees on TLS and version, and verifies the proof of the secret.
 *   <li>The peer attaches (starts a new epoch), enters a shared pool, joins (another connection of
 *       a tenant) or requests the status. {@code TenantTable} decides: while an exclusive owner is
 *       alive, others are refused. After its lease a new owner gets the next epoch, and all
 *       connections of the old one are revoked before that. Sharing tenants fence each other in the
 *       same way.
 *   <li>{@code VerbFrame} executes frame after frame, and {@code TenantRequests} the requests of
 *       tenants about tenants.
 * </ol>
 *
 * <p>Invariant 10 of {@code docs/architecture.md} rests on this package: no verb of a revoked
 * connection takes effect after another compute node has attached, or has received the confirmation
 * that the tenant is fenced.
 */
package org.nelumbo.dm.node;
