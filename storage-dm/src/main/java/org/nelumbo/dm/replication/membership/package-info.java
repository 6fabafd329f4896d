/**
 * Membership of a replicated pool: with which memory nodes a compute node starts, and how that set
 * changes.
 *
 * <p>At an attach, {@link org.nelumbo.dm.replication.membership.NodeProbe} connects to all nodes
 * and reads their headers. {@link org.nelumbo.dm.replication.membership.AttachQuorum} decides
 * whether enough of them have the latest state, and makes the next view. Afterwards {@link
 * org.nelumbo.dm.replication.membership.ViewChanger} runs on its own thread: it excludes failed
 * nodes, admits those that {@code Reconnector} has reached again, has them resynchronised and makes
 * them live. {@link org.nelumbo.dm.replication.membership.Membership} is the state machine that it
 * advances. {@code SoleViewChange} and {@code SoleFilling} do so in an exclusive pool, {@code
 * SharedViewChange} and {@code SharedFilling} in step with other compute nodes.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An attach continues only with nodes that must have every acknowledged write, unless a
 *       forced recovery was requested.
 *   <li>The connection to a failed node is closed before the view without it is written, and that
 *       view is written before it is in force. So no write is acknowledged that is missing on a
 *       node which a later attach might take for live.
 * </ul>
 */
package org.nelumbo.dm.replication.membership;
