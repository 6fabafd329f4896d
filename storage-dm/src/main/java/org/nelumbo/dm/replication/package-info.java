/**
 * Replication of the pool on several memory nodes, below the engine: it sees an ordinary fabric of
 * <i>logical</i> nodes, each of which has copies on some memory nodes. Why it is right is argued in
 * {@code docs/internals/replication.md}.
 *
 * <p>Entry: {@link org.nelumbo.dm.replication.RemotePool}, which opens whatever there is on given
 * memory nodes, or {@link org.nelumbo.dm.replication.ReplicatedFabric} itself. The packages, each
 * of which knows only those below it:
 *
 * <pre>
 *  replication   PoolBootstrap, PoolEntry: an attach, an entry; ReplicatedFabric: the fabric
 *  membership    who is in: quorum of an attach, changes of the view
 *  resync        makes copies equal: after a crash, and of a node that comes back
 *  verbs         executes a flush on all copies
 *  intent        what flushes are about to write, where several compute nodes write
 *  view          the view itself: live nodes, placement, headers, channels to the nodes
 * </pre>
 *
 * <p>Order of an attach: probe all nodes, decide on a quorum, reconcile the copies if the last
 * owner crashed, write the next view to its live nodes, start the view changer. From then on:
 *
 * <ul>
 *   <li>WRITE, CAS and FAA go to all copies in one round trip; READs to the primary, or to any live
 *       copy if nothing there is being written;
 *   <li>a node that fails is excluded by a new view, which all live nodes know before it is in
 *       force; a flush succeeds as long as each logical node has a live copy;
 *   <li>a node that comes back is resynchronised while work goes on, then made live by a new view.
 * </ul>
 *
 * <p>Invariant: what a flush has returned, written or read, is on all live copies.
 */
package org.nelumbo.dm.replication;
