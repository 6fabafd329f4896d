/**
 * Intents: records of the verbs that each flush of a compute node is about to execute. A flush
 * writes its intent to every memory node that it writes to, so that another compute node can
 * complete the flush if its compute node fails.
 *
 * <p>Entry points: {@link org.nelumbo.dm.replication.intent.FlushIntents} has the records of a
 * compute node; {@link org.nelumbo.dm.replication.intent.FlushCompletion} completes the flushes of
 * a failed one.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An intent is at a memory node before the first verb of its flush, and is marked as done
 *       after the last one.
 *   <li>Where memory nodes execute whole frames, a flush is done at a node or has not begun there.
 *   <li>Where they do not, a mark also precedes every verb that other compute nodes may act upon.
 * </ul>
 */
package org.nelumbo.dm.replication.intent;
