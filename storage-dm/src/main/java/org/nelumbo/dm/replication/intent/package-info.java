/**
 * Intents: what each flush of a compute node is about to write, noted at every memory node that it
 * writes to, so that others can end the flush if the compute node dies in the middle of it.
 *
 * <p>Entry: {@link org.nelumbo.dm.replication.intent.FlushIntents}, by which a compute node has
 * room for its intents, and {@link org.nelumbo.dm.replication.intent.FlushCompletion}, by which
 * another one ends the flushes of a dead one.
 *
 * <p>Invariant: an intent is at a memory node before the first verb of its flush, and is marked as
 * done behind the last one. Where memory nodes execute whole frames, a flush is done at a node or
 * has not begun there. Where they do not, a mark is in front of all that others act upon, too.
 */
package org.nelumbo.dm.replication.intent;
