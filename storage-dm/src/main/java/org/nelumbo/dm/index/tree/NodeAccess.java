package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.HEADER_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LATCH_OFFSET;
import static org.nelumbo.dm.layout.TreeNodeLayout.LENGTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;

/**
 * The verbs on the nodes of one index.
 *
 * <p><b>Readers</b> take no latch: READ of the header word, of the node, of the header word again,
 * in one flush. The copy is valid if the header was the same both times and not marked as being
 * written. A latched node can be read.
 *
 * <p><b>Writers</b> latch by CAS, with the READ of the node posted after it. A leaf that the guard
 * gives to one thread exclusively ({@link LeafGuard#excludesChanges}) is read like by a reader, and
 * its latch is written before the first change. It is {@link #BUSY} while it is latched, since the
 * right half of a split is born latched, and a failed compute node leaves latches behind. Then in
 * one flush:
 *
 * <ol>
 *   <li>mark the header;
 *   <li>WRITE the bytes that are not in use yet;
 *   <li>WRITE the rest with the new count in one piece;
 *   <li>write the new header;
 *   <li>release the latch.
 * </ol>
 *
 * <p>If the writer stops before any of these steps, the node is as before or as after the change,
 * except for the mark and the latch.
 *
 * <p>An address may be out of date. Memory that is not, or no longer, a node of this index is
 * {@link #FOREIGN}, and a CAS on it fails; see {@link TreeNodeLayout}. Waiting has a limit, after
 * which the result is {@link #BUSY}: the caller then searches for the path again, since the node
 * that it waits for may never have become part of the tree.
 */
final class NodeAccess {
  static final int OK = 0;

  /** The node is no longer part of the tree; the copy is valid, its right sibling has the range. */
  static final int DEAD = 1;

  /** The memory is not a node of this index; there is no copy. */
  static final int FOREIGN = 2;

  /** The wait timed out; there is no copy. */
  static final int BUSY = 3;

  /** Predicate for indexes without failed owners. */
  static final IntPredicate NONE_DEAD = _ -> false;

  /** Staging bytes of a posted read. */
  static final int READ_BYTES = LENGTH + 2 * Long.BYTES;

  private static final int ATTEMPTS_MAX = 100;

  private final Environment environment;
  private final long free;
  private final long held;

  NodeAccess(Environment environment, long rootBlock, int owner) {
    this.environment = environment;
    free = TreeNodeLayout.freeLatch(rootBlock);
    held = TreeNodeLayout.latch(free, owner);
  }

  /** Reads a consistent copy; returns OK, DEAD, FOREIGN or BUSY. */
  int read(Channel channel, long address, Node into) {
    return readForRepair(channel, address, into, NONE_DEAD);
  }

  /**
   * Reads a node that a failed owner may have latched. Each write of that owner is complete or
   * absent, never partial (otherwise see {@link TornCheck}); so the copy is valid in spite of the
   * mark.
   *
   * @param isDead returns true for owners that have failed and whose nodes only the caller repairs
   */
  int readForRepair(Channel channel, long address, Node into, IntPredicate isDead) {
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int stagingOffset = channel.reserve(READ_BYTES);
    int node = stagingOffset + Long.BYTES;
    int status = BUSY;
    for (int attempt = 0; status == BUSY && attempt < ATTEMPTS_MAX; attempt++) {
      if (attempt > 0) {
        environment.backoff(attempt);
      }
      postRead(channel, address, stagingOffset);
      channel.flush();
      status = judge(staging, stagingOffset, isDead);
    }
    if (status <= DEAD) {
      into.load(staging, node, address);
    }
    channel.release(mark);
    return status;
  }

  /** Posts a read of a node to {@link #READ_BYTES} of the staging buffer. */
  void postRead(Channel channel, long address, int stagingOffset) {
    channel.read(address + HEADER_OFFSET, stagingOffset, Long.BYTES);
    channel.read(address, stagingOffset + Long.BYTES, LENGTH);
    channel.read(address + HEADER_OFFSET, stagingOffset + Long.BYTES + LENGTH, Long.BYTES);
  }

  /**
   * Takes the copy of a posted read; returns OK, DEAD, FOREIGN, or BUSY if the node was being
   * written at that moment.
   */
  int take(Channel channel, long address, int stagingOffset, Node into) {
    return takeForRepair(channel, address, stagingOffset, into, NONE_DEAD);
  }

  /**
   * Takes the copy of a posted read of a node that a failed owner may have latched; see {@link
   * #readForRepair}.
   */
  int takeForRepair(
      Channel channel, long address, int stagingOffset, Node into, IntPredicate isDead) {
    int status = judge(channel.staging(), stagingOffset, isDead);
    if (status <= DEAD) {
      into.load(channel.staging(), stagingOffset + Long.BYTES, address);
    }
    return status;
  }

  /** Returns true if the copy of a posted read is marked as being written. */
  boolean isMarked(Channel channel, int stagingOffset) {
    return TreeNodeLayout.isWriting(channel.staging().get(ValueLayout.JAVA_LONG, stagingOffset));
  }

  private int judge(MemorySegment staging, int stagingOffset, IntPredicate isDead) {
    int status = judge(staging, stagingOffset);
    long latch = staging.get(ValueLayout.JAVA_LONG, stagingOffset + Long.BYTES + LATCH_OFFSET);
    return status == BUSY && isDead(TreeNodeLayout.owner(latch), isDead) ? OK : status;
  }

  /** Returns true if a latch owner is a compute node that has failed. */
  static boolean isDead(int owner, IntPredicate isDead) {
    return owner != TreeNodeLayout.FREE && owner != TreeNodeLayout.DEAD && isDead.test(owner);
  }

  private int judge(MemorySegment staging, int before) {
    int node = before + Long.BYTES;
    int after = node + LENGTH;
    long latch = staging.get(ValueLayout.JAVA_LONG, node + LATCH_OFFSET);
    if (!TreeNodeLayout.isOfIndex(latch, free)) {
      return FOREIGN;
    }
    long header = staging.get(ValueLayout.JAVA_LONG, before);
    if (TreeNodeLayout.isWriting(header) || header != staging.get(ValueLayout.JAVA_LONG, after)) {
      return BUSY;
    }
    return TreeNodeLayout.owner(latch) == TreeNodeLayout.DEAD ? DEAD : OK;
  }

  /**
   * Latches a node and reads it, waiting while it is latched; returns OK (latched), DEAD, FOREIGN
   * or BUSY.
   */
  int latch(Channel channel, long address, Node into) {
    int status = tryLatch(channel, address, into);
    for (int attempt = 0; status == BUSY && attempt < ATTEMPTS_MAX; attempt++) {
      environment.backoff(attempt);
      if (isFree(channel, address)) {
        status = tryLatch(channel, address, into);
      }
    }
    return status;
  }

  /**
   * Latches a leaf in its guard and reads it, as {@link #latch} does. The caller has entered the
   * guard for an insert or a change.
   */
  int latchLeaf(Channel channel, LeafGuard guard, long address, Node into) {
    if (!guard.excludesChanges()) {
      return latch(channel, address, into);
    }
    int status = tryLatchLeaf(channel, guard, address, into);
    for (int attempt = 0; status == BUSY && attempt < ATTEMPTS_MAX; attempt++) {
      environment.backoff(attempt);
      status = tryLatchLeaf(channel, guard, address, into);
    }
    return status;
  }

  /** Does the same as {@link #latchLeaf} without waiting. */
  int tryLatchLeaf(Channel channel, LeafGuard guard, long address, Node into) {
    byte[] image = guard.takeImage(this, address);
    if (image != null) {
      into.loadImage(image, address);
      return OK;
    }
    int mark = channel.mark();
    int offset = postLatchLeaf(channel, guard, address);
    channel.flush();
    int status = latchedLeaf(channel, guard, offset, address, into);
    channel.release(mark);
    return status;
  }

  /** Keeps the image of a leaf whose changes have arrived, before the guard is left. */
  void keepImage(LeafGuard guard, Node node) {
    if (node.isOwned && guard.keepsImage(node.address)) {
      keepImage(guard, node.address, node.toImage());
    }
  }

  /** Keeps an image that was taken or made of a leaf, unless it is null. */
  void keepImage(LeafGuard guard, long address, byte[] image) {
    if (image != null) {
      guard.keepImage(this, address, image);
    }
  }

  private int takeOwned(Channel channel, long address, int offset, Node into) {
    int status = take(channel, address, offset, into);
    if (status == OK && isLatchedByOther(into)) {
      status = BUSY;
    }
    into.isOwned = status == OK;
    return status;
  }

  /** The right half of a split is born latched; a failed compute node leaves latches behind. */
  private boolean isLatchedByOther(Node node) {
    return node.latch() != free;
  }

  private boolean isFree(Channel channel, long address) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(address + LATCH_OFFSET, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    long latch = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    return latch == free
        || !TreeNodeLayout.isOfIndex(latch, free)
        || TreeNodeLayout.owner(latch) == TreeNodeLayout.DEAD;
  }

  /**
   * Latches a node and reads it if it is not latched; returns OK (latched), DEAD, FOREIGN or BUSY.
   */
  int tryLatch(Channel channel, long address, Node into) {
    int mark = channel.mark();
    int offset = postLatch(channel, address);
    channel.flush();
    int status = latched(channel, offset, address, into);
    channel.release(mark);
    return status;
  }

  /** Posts the latch and the READ of a node; returns the staging offset for {@link #latched}. */
  int postLatch(Channel channel, long address) {
    int offset = channel.reserve(Long.BYTES + LENGTH);
    channel.compareAndSwap(address + LATCH_OFFSET, free, held, offset);
    channel.read(address, offset + Long.BYTES, LENGTH);
    return offset;
  }

  /**
   * Posts the latch and the READ of a leaf whose guard is entered; returns the staging offset for
   * {@link #latchedLeaf}.
   */
  int postLatchLeaf(Channel channel, LeafGuard guard, long address) {
    if (!guard.excludesChanges()) {
      return postLatch(channel, address);
    }
    int offset = channel.reserve(READ_BYTES);
    postRead(channel, address, offset);
    return offset;
  }

  /** Returns the same as {@link #latched} for a leaf. */
  int latchedLeaf(Channel channel, LeafGuard guard, int offset, long address, Node into) {
    return guard.excludesChanges()
        ? takeOwned(channel, address, offset, into)
        : latched(channel, offset, address, into);
  }

  /** Returns, after the flush, OK (latched), DEAD, FOREIGN or BUSY. */
  int latched(Channel channel, int offset, long address, Node into) {
    MemorySegment staging = channel.staging();
    long found = staging.get(ValueLayout.JAVA_LONG, offset);
    int status = BUSY;
    if (found == free) {
      status = OK;
    } else if (!TreeNodeLayout.isOfIndex(found, free)) {
      status = FOREIGN;
    } else if (TreeNodeLayout.owner(found) == TreeNodeLayout.DEAD) {
      status = DEAD;
    }
    if (status <= DEAD) {
      into.load(staging, offset + Long.BYTES, address);
    }
    return status;
  }

  /** Posts the changes of a latched node and the release of its latch, and flushes them. */
  void writeAndRelease(Channel channel, Node node) {
    int mark = channel.mark();
    postChangesAndRelease(channel, node);
    channel.flush();
    channel.release(mark);
  }

  /**
   * Posts the changes of a latched node and the release of its latch; the caller flushes, then
   * releases the staging buffer.
   */
  void postChangesAndRelease(Channel channel, Node node) {
    if (!node.isOwned) {
      postChanges(channel, node);
      postRelease(channel, node);
      return;
    }
    long next = postMarkAndBytes(channel, node);
    postLatchAndHeader(channel, node.address, free, next);
    node.setLatch(free);
    becameCurrent(node, next);
  }

  /**
   * Posts the changes of a latched node, which stays latched; the caller flushes, then releases the
   * staging buffer.
   */
  void postChanges(Channel channel, Node node) {
    long next = postMarkAndBytes(channel, node);
    channel.writeLong(node.address + HEADER_OFFSET, next);
    becameCurrent(node, next);
  }

  /** Posts all but the new header, which it returns. */
  private long postMarkAndBytes(Channel channel, Node node) {
    long writing = TreeNodeLayout.writing(node.poolHeader);
    if (node.isOwned && node.latch() == free) {
      postLatchAndHeader(channel, node.address, held, writing);
      node.setLatch(held);
    } else {
      assert isLatched(node);
      channel.writeLong(node.address + HEADER_OFFSET, writing);
    }
    if (node.hiddenTo > node.hiddenFrom && node.changedTo < LENGTH) {
      postBytes(channel, node, node.hiddenFrom & -8, (node.hiddenTo + 7) & -8);
    }
    if (node.changedTo > 0) {
      long header = node.header();
      node.setHeader(TreeNodeLayout.writing(header));
      postBytes(channel, node, HEADER_OFFSET, (node.changedTo + 7) & -8);
      node.setHeader(header);
    }
    return TreeNodeLayout.nextVersion(node.header());
  }

  private static void becameCurrent(Node node, long header) {
    node.setHeader(header);
    node.poolHeader = header;
    node.hiddenTo = node.hiddenFrom;
    node.changedTo = 0;
  }

  /**
   * Posts one WRITE of the latch word and the header word of a leaf that this thread has
   * exclusively. No reader depends on their order, and a WRITE within a cache line is complete or
   * absent after a failure of its sender, so a marked header never remains without a latch.
   */
  private static void postLatchAndHeader(Channel channel, long address, long latch, long header) {
    int offset = channel.reserve(HEADER_OFFSET + Long.BYTES);
    channel.staging().set(ValueLayout.JAVA_LONG, offset + LATCH_OFFSET, latch);
    channel.staging().set(ValueLayout.JAVA_LONG, offset + HEADER_OFFSET, header);
    channel.write(address, offset, HEADER_OFFSET + Long.BYTES);
  }

  /** Posts the latch of a leaf that this thread has exclusively, unless it was posted before. */
  void postLatchOfOwned(Channel channel, Node node) {
    if (node.isOwned && node.latch() == free) {
      channel.writeLong(node.address + LATCH_OFFSET, held);
      node.setLatch(held);
    }
  }

  private static void postBytes(Channel channel, Node node, int from, int to) {
    int offset = channel.reserve(to - from);
    MemorySegment.copy(
        node.bytes, from, channel.staging(), ValueLayout.JAVA_BYTE, offset, to - from);
    channel.write(node.address + from, offset, to - from);
  }

  /** Posts the release of the latch, if it was posted or acquired. */
  void postRelease(Channel channel, Node node) {
    if (node.isOwned) {
      if (node.latch() == held) {
        channel.writeLong(node.address + LATCH_OFFSET, free);
        node.setLatch(free);
      }
    } else {
      assert isLatched(node);
      channel.writeRelease(node.address + LATCH_OFFSET, node.latch(), free);
    }
  }

  /**
   * Returns true if a copy was made while the node was latched, by this compute node or by a failed
   * one.
   */
  private boolean isLatched(Node node) {
    int owner = TreeNodeLayout.owner(node.latch());
    return TreeNodeLayout.isOfIndex(node.latch(), free)
        && owner != TreeNodeLayout.FREE
        && owner != TreeNodeLayout.DEAD;
  }

  /** Releases the latch of a node that was not changed. */
  void release(Channel channel, Node node) {
    if (!node.isOwned) {
      postRelease(channel, node);
      channel.flush();
    }
  }

  /**
   * Posts the removal of a node from the tree: from now on searches do not find its range here. It
   * stays unchanged until its memory is reused.
   */
  void postDeath(Channel channel, Node node) {
    long next = TreeNodeLayout.nextVersion(node.poolHeader);
    channel.writeLong(node.address + HEADER_OFFSET, next);
    channel.writeRelease(
        node.address + LATCH_OFFSET, node.latch(), TreeNodeLayout.latch(free, TreeNodeLayout.DEAD));
  }

  /**
   * Writes a node into new memory, latched and marked as being written, so that no reader with an
   * outdated pointer uses it before {@link #postBirth}. The mark is posted first: a copy with any
   * byte of the node is followed by a marked header.
   */
  void writeUnborn(Channel channel, Node node) {
    int mark = channel.mark();
    postUnborn(channel, node);
    channel.flush();
    channel.release(mark);
  }

  /** Posts the writes of an unborn node; the caller flushes, then releases the staging buffer. */
  void postUnborn(Channel channel, Node node) {
    long header = node.header();
    node.setLatch(held);
    node.setHeader(TreeNodeLayout.writing(header));
    channel.writeLong(node.address + HEADER_OFFSET, node.header());
    postBytes(channel, node, 0, LENGTH);
    node.setHeader(header);
    node.poolHeader = header;
  }

  /** Posts that a node is now part of the tree, given the header it was written with. */
  void postBirth(Channel channel, long address, long header) {
    channel.writeLong(address + HEADER_OFFSET, TreeNodeLayout.nextVersion(header));
    channel.writeLong(address + LATCH_OFFSET, free);
  }

  /**
   * Copies the image that overwrites a whole latched node to the staging buffer; returns its offset
   * there.
   */
  int image(Channel channel, Node node) {
    long header = node.header();
    node.setHeader(TreeNodeLayout.writing(header));
    int offset = channel.reserve(LENGTH - HEADER_OFFSET);
    MemorySegment.copy(
        node.bytes,
        HEADER_OFFSET,
        channel.staging(),
        ValueLayout.JAVA_BYTE,
        offset,
        LENGTH - HEADER_OFFSET);
    node.setHeader(header);
    return offset;
  }

  /**
   * Posts the WRITE of an image, as {@link #postChanges} does, and the release of the latch.
   *
   * @param isOwned true if the node is a leaf whose latch is not posted yet
   * @param mark current header of the node, marked as being written
   * @param header new header of the node
   */
  void postImage(
      Channel channel, long address, boolean isOwned, int image, long mark, long header) {
    if (isOwned) {
      postLatchAndHeader(channel, address, held, mark);
    } else {
      channel.writeLong(address + HEADER_OFFSET, mark);
    }
    channel.write(address + HEADER_OFFSET, image, LENGTH - HEADER_OFFSET);
    if (isOwned) {
      postLatchAndHeader(channel, address, free, header);
    } else {
      channel.writeLong(address + HEADER_OFFSET, header);
      channel.writeLong(address + LATCH_OFFSET, free);
    }
  }

  /**
   * Returns a version for a node in new memory, different from any version that an earlier node
   * there may have had.
   */
  int anyVersion() {
    return (int) environment.randomLong();
  }

  /** Returns a random number from 0 to {@code bound - 1}. */
  int random(int bound) {
    return (int) Long.remainderUnsigned(environment.randomLong(), bound);
  }

  void backoff(int attempt) {
    environment.backoff(attempt);
  }
}
