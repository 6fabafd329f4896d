/**
 * Replication of the pool on several memory nodes, below the engine. The engine sees an ordinary
 * fabric of <i>logical</i> nodes, each of which has copies on some memory nodes. The correctness
 * argument is in {@code docs/internals/replication.md}.
 *
 * <p>Entry points: {@link org.nelumbo.dm.replication.RemotePool}, which opens any pool on given
 * memory nodes, or {@link org.nelumbo.dm.replication.ReplicatedFabric} itself. Each of these
 * packages depends only on the ones below it:
 *
 * <pre>
 * replication   PoolBootstrap, PoolEntry: attach and join; ReplicatedFabric: the fabric
 * membership    quorum of an attach, changes of the view
 * log           the logs of the memory nodes
 * resync        makes copies equal: after a crash, and on a node that returns
 * verbs         executes a flush on all copies
 * intent        records what flushes are about to write, where several compute nodes write
 * view          the view itself: live nodes, placement, headers, channels to the nodes
 * </pre>
 *
 * <p>An attach takes these steps:
 *
 * <ol>
 *   <li>Probe all nodes.
 *   <li>Decide on a quorum.
 *   <li>Reconcile the copies if the last owner crashed.
 *   <li>Write the next view to its live nodes.
 *   <li>Start the view changer.
 * </ol>
 *
 * <p>From then on, in an exclusive pool:
 *
 * <ul>
 *   <li>WRITE, CAS and FAA go to all copies in one round trip. READs go to the primary, or to any
 *       live copy if nothing there is being written.
 *   <li>A failed node is excluded by a new view, which is written to all of its live nodes before
 *       it is in force. A flush succeeds as long as each logical node has a live copy.
 *   <li>A node that returns is resynchronised while work continues, and becomes live by a new view.
 * </ul>
 *
 * <p>Invariant: everything that a flush has returned, written or read, is on all live copies.
 */
package org.nelumbo.dm.replication;
