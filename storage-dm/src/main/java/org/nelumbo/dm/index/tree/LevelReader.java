package org.nelumbo.dm.index.tree;

import java.util.function.IntPredicate;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.pool.Channel;

/**
 * Reads the nodes of one level from left to right, many with one flush: the next nodes in the list
 * of the level above are read together. The right sibling of each node determines the next one; the
 * list is only a prediction, and a node that is not in it is read on its own. Each copy is
 * consistent at the moment when it was read, as with {@link NodeAccess#read}. Uses staging memory
 * from {@link #begin} to {@link #end}; callers must release their own reservations before the next
 * read. Not thread-safe.
 */
final class LevelReader {
  private static final int BATCH_MAX = 128;

  /** Share of the staging buffer that is left to others: one part of this many. */
  private static final int SHARE = 2;

  private final NodeAccess access;
  private final IntPredicate isDead;
  private final boolean stopsAtMarks;
  private final long[] addresses = new long[BATCH_MAX];

  private LongList listed = new LongList();
  private LongList children = new LongList();

  private int nextListed;

  private int mark;

  /** Offset in the staging buffer at which the nodes of a batch arrive. */
  private int places;

  /** Offset in the staging buffer at which a node arrives that is read on its own. */
  private int place;

  private int capacity;
  private int count;
  private int next;

  /**
   * Creates a reader that accepts a node as it is if a failed owner has it latched.
   *
   * @param isDead returns true for failed owners
   * @param stopsAtMarks whether a node that is marked as being written is not decoded, and yields
   *     BUSY at once, because it may be corrupt
   */
  LevelReader(NodeAccess access, IntPredicate isDead, boolean stopsAtMarks) {
    this.access = access;
    this.isDead = isDead;
    this.stopsAtMarks = stopsAtMarks;
  }

  /** Begins a level, the one below the level that was read before. */
  void begin(Channel channel) {
    LongList before = listed;
    listed = children;
    children = before;
    restart();
    mark = channel.mark();
    place = channel.reserve(NodeAccess.READ_BYTES);
    int fitting = channel.stagingAvailable() / SHARE / NodeAccess.READ_BYTES;
    capacity = Math.min(fitting, BATCH_MAX);
    places = channel.reserve(capacity * NodeAccess.READ_BYTES);
  }

  /** Restarts the same level at its first node. */
  void restart() {
    children.clear();
    nextListed = 0;
    count = 0;
    next = 0;
  }

  /** Ends a level. */
  void end(Channel channel) {
    channel.release(mark);
  }

  /** Reads a consistent copy; returns OK, DEAD, FOREIGN or BUSY. */
  int read(Channel channel, long address, Node into) {
    int at = find(address) || readBatch(channel, address) ? batchPlace(next++) : place;
    if (at == place) {
      access.postRead(channel, address, at);
      channel.flush();
    }
    if (stopsAtMarks && access.isMarked(channel, at)) {
      return NodeAccess.BUSY;
    }
    int status = access.takeForRepair(channel, address, at, into, isDead);
    if (status >= NodeAccess.FOREIGN) {
      status = access.readForRepair(channel, address, into, isDead);
    }
    if (status == NodeAccess.OK && into.level() > 0) {
      for (int i = 0; i < into.count(); i++) {
        children.add(into.value(i));
      }
    }
    return status;
  }

  private boolean find(long address) {
    for (int i = next; i < count; i++) {
      if (addresses[i] == address) {
        next = i;
        return true;
      }
    }
    return false;
  }

  /**
   * Reads a node together with those listed after it, if it is in the list, or if the last batch is
   * used up.
   */
  private boolean readBatch(Channel channel, long address) {
    int end = Math.min(listed.size(), nextListed + BATCH_MAX);
    int at = nextListed;
    while (at < end && listed.get(at) != address) {
      at++;
    }
    if (capacity == 0 || at == end && next < count) {
      return false;
    }
    nextListed = at < end ? at + 1 : nextListed;
    next = 0;
    count = 0;
    post(channel, address);
    while (count < capacity && nextListed < listed.size()) {
      post(channel, listed.get(nextListed++));
    }
    channel.flush();
    return true;
  }

  private int batchPlace(int i) {
    return places + i * NodeAccess.READ_BYTES;
  }

  private void post(Channel channel, long address) {
    addresses[count] = address;
    access.postRead(channel, address, batchPlace(count));
    count++;
  }
}
