/**
 * The hash index: LOTUS key to CVT addresses, extendible hashing in the style of RACE with segments
 * that split in place.
 *
 * <p>Entry point: {@link org.nelumbo.dm.index.hash.HashIndex}, one object per table and compute
 * node. Called by the executor; its only assumption about transactions is that a caller holds the
 * key's write lock when it changes an entry.
 *
 * <p><b>Directory.</b> The pool holds no directory. Every segment records the segments that split
 * off it, so the segments form a tree. A compute node builds its directory (a plain array) from
 * this tree when it first uses the index, and refines it step by step when a segment is found to be
 * deeper. Segments are the only structures in the pool that are latched, replaced or retired; no
 * directory is ever doubled there.
 *
 * <p><b>Invariants</b>, attacked by the tests:
 *
 * <ol>
 *   <li>I1: the keys of a segment of suffix s and depth d are those whose mixed key has s in its
 *       lowest d bits. A segment only gets deeper and never leaves the index.
 *   <li>I2: all lines of an unlatched segment carry its depth: 8 bits of it in each header, 4 in
 *       each slot.
 *   <li>I3: an entry is in one slot of its window or of its chain, and stays in that slot until it
 *       is removed or the segment splits.
 *   <li>I4: while a segment is latched, the image read under the latch is authoritative: an insert
 *       or remove that finds the latch held, or another depth than at its beginning, waits and
 *       restarts.
 *   <li>I5: a new segment is latched until its parent's lines have been overwritten, so an entry is
 *       never only in a segment to which the old directory does not lead.
 * </ol>
 *
 * <p><b>Split</b> of segment S, depth d. Each step is one word or may be repeated; if the splitting
 * node fails in between, {@link org.nelumbo.dm.index.hash.HashIndex#repair} finishes the split from
 * the remaining state:
 *
 * <ol>
 *   <li>latch S (CAS). Inserts and removes in S now wait; lookups continue.
 *   <li>READ S, its chains, and the LOTUS key of every entry (the first word of its CVT).
 *   <li>write the new segment N, latched, and a copy C of the future lines of S. After a failure up
 *       to here: unlatch S, nothing else has changed.
 *   <li>split intent of S := N. From here on the split can only be finished.
 *   <li>child d of S := N; overwrite the lines of S with C. A reader that sees a mixture, or depth
 *       d + 1, reads again or continues at N.
 *   <li>unlatch N (CAS from its birth state).
 *   <li>unlatch S with depth d + 1, which also ends the intent. Then C is freed and the replaced
 *       overflow blocks are retired.
 * </ol>
 */
package org.nelumbo.dm.index.hash;
