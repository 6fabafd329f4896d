/**
 * Replicated verbs: the execution of a flush on all copies.
 *
 * <p>Entry point: {@link org.nelumbo.dm.replication.verbs.ReplicatedChannel}. In an exclusive pool,
 * a flush takes these steps:
 *
 * <ol>
 *   <li>The posted verbs are collected in a {@code VerbList}.
 *   <li>{@code HeldStripes} acquires the stripes of all words to be written ({@code StripeLocks}).
 *   <li>{@code ReplicatedFlush} posts the verbs to all copies in one round trip. If nodes fail, it
 *       waits for a view without them and repeats the READs that they have not answered.
 *   <li>The stripes are released. Then the flush waits until concurrent writes that its READs may
 *       have seen are on all copies.
 * </ol>
 *
 * <p>While other compute nodes also write ({@code Sharing}), stripes are not used. Then {@code
 * SharedFlush} sends a flush to the backups first, and to the primary when they have it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>All copies of a word see its writes in one order.
 *   <li>A channel that waits for a stripe holds only lower ones.
 *   <li>Nothing is allocated once the buffers have grown.
 * </ul>
 *
 * <p><b>Threads.</b> A channel, with its verbs and held stripes, is confined to one thread. {@code
 * StripeLocks} are shared by all channels of a fabric.
 */
package org.nelumbo.dm.replication.verbs;
