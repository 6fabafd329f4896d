/**
 * The memory node: a process that executes verbs on its memory, for one compute node alone or for
 * several that share it, and knows nothing of what the bytes mean. Entry: {@link
 * org.nelumbo.dm.node.MemoryNode}; the protocol is in {@code docs/guide/tcp-protocol.md}.
 *
 * <p>A connection's life: {@code MemoryNode} accepts it and starts a {@code PeerConnection}, which
 * has a thread of its own. It agrees on TLS and version, and proves the secret. Then it attaches
 * (begins a new epoch), enters beside others, joins (one more connection of a tenant) or asks for
 * the status. {@code TenantTable} decides: while somebody has the memory alone and is heard of,
 * others are refused; after its lease a new owner gets the next epoch, and all connections of the
 * old one are revoked before that. Those who share it fence each other in the same way. From then
 * on {@code VerbFrame} executes frame after frame, and {@code TenantRequests} what tenants ask
 * about tenants.
 *
 * <p>Invariant 10 of {@code docs/architecture.md} rests on this package: no verb of a revoked
 * connection takes effect once another compute node has attached, or has been told that it is
 * fenced.
 */
package org.nelumbo.dm.node;
