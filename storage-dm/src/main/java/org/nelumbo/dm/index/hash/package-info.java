/**
 * The hash index: LOTUS key to CVT addresses, extendible hashing in the style of RACE with segments
 * that split in place.
 *
 * <p>Entry type: {@link org.nelumbo.dm.index.hash.HashIndex}, one object a table and compute node.
 * Called by the executor; it knows nothing of transactions but that a caller holds the key's write
 * lock when it changes an entry.
 *
 * <p><b>Directory.</b> The pool holds no directory: every segment records the segments that split
 * off it, so the segments form a tree from which a compute node builds its directory (a plain
 * array) when it first uses the index, and brings it up to date, step by step, when a segment turns
 * out to be deeper than it thought. Nothing is ever doubled, latched or retired in the pool but
 * segments.
 *
 * <p><b>Invariants</b>, attacked by the tests:
 *
 * <ol>
 *   <li>I1: the keys of a segment of suffix s and depth d are those whose mixed key has s in its
 *       lowest d bits. A segment only gets deeper and never leaves the index.
 *   <li>I2: all lines of an unlatched segment carry its depth: 8 bits of it in each header, 4 in
 *       each slot.
 *   <li>I3: an entry is in one place of its window or of its chain, and stays in that place until
 *       it is removed or the segment splits.
 *   <li>I4: while a segment is latched its image as of the latch is what counts: an insert or
 *       remove that meets the latch, or another depth than it began with, waits and starts again.
 *   <li>I5: a new segment is latched until its parent's lines have been overwritten, so an entry is
 *       never only in a segment to which the old directory does not lead.
 * </ol>
 *
 * <p><b>Split</b> of segment S, depth d (each step is one word or may be repeated; whoever stops in
 * between leaves a state that {@link org.nelumbo.dm.index.hash.HashIndex#repair} finishes):
 *
 * <ol>
 *   <li>latch S (CAS). Inserts and removes in S now wait; lookups go on.
 *   <li>READ S, its chains, and the LOTUS key of every entry (the first word of its CVT).
 *   <li>write the new segment N, latched, and a copy C of the lines S will have. Stopped up to
 *       here: unlatch S, nothing has happened.
 *   <li>split intent of S := N. From here on the split can only be finished.
 *   <li>child d of S := N; overwrite the lines of S with C. A reader that sees a mixture, or depth
 *       d + 1, reads again or goes to N.
 *   <li>unlatch N (CAS from its birth state).
 *   <li>unlatch S with depth d + 1, which also ends the intent. Then C is freed and the replaced
 *       overflow blocks are retired.
 * </ol>
 */
package org.nelumbo.dm.index.hash;
