/**
 * Membership of a replicated pool: with which memory nodes a compute node begins, and how that
 * changes.
 *
 * <p>At an attach {@link org.nelumbo.dm.replication.membership.NodeProbe} connects to all nodes and
 * reads their headers; {@link org.nelumbo.dm.replication.membership.AttachQuorum} decides whether
 * enough of them have the latest state, and makes the next view. Afterwards {@link
 * org.nelumbo.dm.replication.membership.ViewChanger} runs alone on its own thread: it excludes
 * nodes that have failed, admits those that {@code Reconnector} has reached again, has them
 * resynchronised and makes them live. {@link org.nelumbo.dm.replication.membership.Membership} is
 * the state machine that it advances; {@code SoleViewChange} and {@code SoleFilling} do so while
 * this compute node has the pool alone, {@code SharedViewChange} and {@code SharedFilling} in step
 * with others.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>an attach goes on only with nodes that must have every acknowledged write, unless a forced
 *       recovery was asked for;
 *   <li>a node is cut off before the view without it is written, and that view is written before it
 *       is in force: nobody is told of a write that is missing on a node which a later attach might
 *       take for live.
 * </ul>
 */
package org.nelumbo.dm.replication.membership;
