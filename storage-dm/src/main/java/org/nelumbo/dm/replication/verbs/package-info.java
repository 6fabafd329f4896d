/**
 * Replicated verbs: a flush on all copies of what it touches.
 *
 * <p>Entry: {@link org.nelumbo.dm.replication.verbs.ReplicatedChannel}. Its flush:
 *
 * <ol>
 *   <li>the posted verbs are in a {@code VerbList};
 *   <li>{@code HeldStripes} locks the stripes of all words that are written ({@code StripeLocks});
 *   <li>{@code ReplicatedFlush} posts the verbs to all copies, in one round trip; if nodes fail, it
 *       waits for a view without them and repeats the READs that they owed;
 *   <li>the stripes are unlocked; then it waits until writes that its READs may have seen are on
 *       all copies, too.
 * </ol>
 *
 * <p>While other compute nodes write, too ({@code Sharing}), there are no stripes. Then {@code
 * SharedFlush} sends a flush to the backups first, and to the primary when they have it.
 *
 * <p>Invariants: all copies of a word see its writes in one order; whoever waits for a stripe holds
 * only lower ones; nothing is allocated once the buffers have grown.
 *
 * <p><b>Threads.</b> A channel, with its verbs and held stripes, belongs to one thread; {@code
 * StripeLocks} are shared by all channels of a fabric.
 */
package org.nelumbo.dm.replication.verbs;
