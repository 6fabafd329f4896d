package org.nelumbo.executor.timestamp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.superblock.CommitVector;

/**
 * A compute node's clock in a pool with a {@link CommitVector}. Timestamps are drawn locally. A
 * commit takes two round trips, whatever the number of memory nodes:
 *
 * <ol>
 *   <li>The coordinator opens a ticket and draws a timestamp.
 *   <li>One flush writes the log and the cells, with the timestamp. Then the ticket is closed.
 *   <li>The compute node publishes the largest timestamp below all open tickets, by one WRITE of
 *       its word. One such WRITE is under way at a time. Coordinators that wait for it are served
 *       by the same WRITE, or by the next one.
 *   <li>The coordinator releases its locks and acknowledges the commit.
 * </ol>
 *
 * <p>A snapshot is a copy of the vector at one moment: the words are read twice in one flush, and
 * again until the two copies are equal. Since no word ever decreases, all words had their values
 * between the two READs. A commit is published before its locks are released, so whatever depends
 * on it is published later: a snapshot that contains a commit contains all those that it depends
 * on. {@code docs/internals/commit-vector.md} has the proof.
 *
 * <p>Timestamps follow physical time as those of other clocks do; their low bits are the entry of
 * the compute node. A compute node that commits more than 250,000 transactions a second runs ahead
 * of physical time. Thread-safe.
 */
public final class VectorClock implements SharedClock {
  private static final long SLOT_MASK = (1L << CommitVector.SLOT_BITS) - 1;

  private final PhysicalClock physicalClock;
  private final long vector;
  private final int entry;
  private final Tickets tickets = new Tickets();

  /** The last timestamp that was drawn or learnt, without its slot. */
  private final AtomicLong time = new AtomicLong();

  /** The time of this compute node's word. Written by the holder of {@link #isPublishing}. */
  private volatile long published;

  private final AtomicBoolean isPublishing = new AtomicBoolean();

  /**
   * True after a WRITE of the word has failed: the word may change at any later moment. Guarded by
   * {@link #isPublishing}, as it is true during the WRITE.
   */
  private boolean isBroken;

  /** The largest {@link Snapshot#low} that was ever read here. */
  private final AtomicLong low = new AtomicLong();

  /** The largest values of the words that were ever read here, and the last one written. */
  private final AtomicLongArray known = new AtomicLongArray(CommitVector.WORDS_MAX - 1);

  /** Number of words that are read, the count included. */
  private volatile int width = 1 + 8;

  /** Used by the ticking thread only, as is the next field. */
  private final long[] ticked = new long[CommitVector.WORDS_MAX];

  private boolean wasQuiet;

  private VectorClock(Environment environment, long vector, int entry) {
    this.physicalClock = new PhysicalClock(environment);
    this.vector = vector;
    this.entry = entry;
  }

  /**
   * Enters the vector of a pool.
   *
   * @param entry entry of this compute node in the table of compute nodes
   * @param last a timestamp not below any that is in use, except those of compute nodes with a word
   */
  public static VectorClock enter(
      Environment environment, Channel channel, long vector, int entry, long last) {
    VectorClock clock = new VectorClock(environment, vector, entry);
    clock.learn(last);
    int mark = channel.mark();
    int offset = CommitVector.postRead(channel, vector, CommitVector.WORDS_MAX);
    channel.flush();
    long[] words = new long[CommitVector.WORDS_MAX - 1];
    copy(channel, offset, words, words.length);
    channel.release(mark);
    clock.learn(CommitVector.newest(words, words.length));
    clock.raiseToPhysical(clock.time.get() == 0 ? 0 : clock.now());
    clock.published = clock.time.get();
    CommitVector.begin(channel, vector, entry, clock.now());
    clock.read(channel, new Snapshot());
    return clock;
  }

  private static void copy(Channel channel, int offset, long[] words, int count) {
    MemorySegment.copy(
        channel.staging(), ValueLayout.JAVA_LONG, offset + Long.BYTES, words, 0, count);
  }

  private void raiseToPhysical(long poolClock) {
    learn(physicalClock.timestamp(poolClock));
  }

  private void learn(long timestamp) {
    long heard = timestamp >>> CommitVector.SLOT_BITS;
    if (time.get() < heard) {
      time.accumulateAndGet(heard, Math::max);
    }
  }

  @Override
  public long now() {
    return timestamp(time.get());
  }

  private static long timestamp(long drawn) {
    return drawn << CommitVector.SLOT_BITS | SLOT_MASK;
  }

  @Override
  public long settled() {
    return low.get();
  }

  @Override
  public long read(Channel channel) {
    Snapshot snapshot = new Snapshot();
    read(channel, snapshot);
    return snapshot.newest();
  }

  @Override
  public void read(Channel channel, Snapshot into) {
    while (!tryRead(channel, into)) {}
    learn(into.newest());
    learnLow(into.low());
  }

  /** Returns false if the vector has changed during the READs, and has to be read again. */
  private boolean tryRead(Channel channel, Snapshot into) {
    int count = width;
    int mark = channel.mark();
    int one = CommitVector.postRead(channel, vector, count);
    int other = CommitVector.postRead(channel, vector, count);
    channel.flush();
    MemorySegment staging = channel.staging();
    boolean isRead =
        hasAll(staging.get(ValueLayout.JAVA_LONG, other), count)
            && CommitVector.areEqual(staging, one, other, count);
    if (isRead) {
      into.setVector(staging, one + Long.BYTES, count - 1);
      for (int slot = 0; slot < count - 1; slot++) {
        learn(slot, staging.get(ValueLayout.JAVA_LONG, one + (slot + 1L) * Long.BYTES));
      }
    }
    channel.release(mark);
    return isRead;
  }

  private void learn(int slot, long word) {
    long timestamp = CommitVector.timestamp(word);
    if (known.get(slot) < timestamp) {
      known.accumulateAndGet(slot, timestamp, Math::max);
    }
  }

  /**
   * The words need not be of one moment. If all versions that are met are in them, each row that is
   * read had no other version from the call until it was read: the result is as of the call.
   */
  @Override
  public void readTentatively(Channel channel, Snapshot into) {
    into.setTentative(known, width - 1, low.get());
  }

  /** Returns true if a READ has all words that have ever been used; if not, the next ones do. */
  private boolean hasAll(long used, int count) {
    boolean hasAll = used < count;
    if (!hasAll) {
      width = Math.clamp((used + 8) / 8 * 8 + 1, width, CommitVector.WORDS_MAX);
    }
    return hasAll;
  }

  private void learnLow(long timestamp) {
    if (low.get() < timestamp) {
      low.accumulateAndGet(timestamp, Math::max);
    }
  }

  /** Waits until all compute nodes have published what they have committed up to the cut. */
  @Override
  public void readCut(Channel channel, Environment environment, Snapshot into) {
    read(channel, into);
    long cut = into.newest();
    for (int attempt = 0; into.low() < cut; attempt++) {
      environment.backoff(attempt);
      read(channel, into);
    }
    into.set(cut);
  }

  /** A snapshot that was read before is a copy of an older state of the vector. */
  @Override
  public long retirement(Channel channel) {
    return now();
  }

  @Override
  public long barrier(Channel channel, Environment environment) {
    read(channel);
    long timestamp = timestamp(time.incrementAndGet());
    publish(channel, environment, timestamp);
    return timestamp;
  }

  @Override
  public long next(Channel channel) {
    throw new UnsupportedOperationException("a commit timestamp belongs to a coordinator");
  }

  @Override
  public long next(Channel channel, int slot) {
    return tickets.draw(slot, time) << CommitVector.SLOT_BITS | entry;
  }

  @Override
  public boolean publishes() {
    return true;
  }

  @Override
  public void raiseAbove(long timestamp) {
    learn(timestamp);
  }

  @Override
  public void raiseTo(long timestamp) {
    learn(timestamp);
  }

  @Override
  public void landed(int slot) {
    tickets.close(slot);
  }

  @Override
  public void publish(Channel channel, Environment environment, long timestamp) {
    long wanted = timestamp >>> CommitVector.SLOT_BITS;
    for (int attempt = 0; published < wanted; attempt++) {
      if (!tryPublish(channel, true)) {
        environment.backoff(attempt);
        // Posts no verb, but throws if the pool is lost: tickets of failed commits stay open.
        channel.flush();
      }
    }
  }

  /**
   * Publishes what has landed, unless another thread is doing so; returns true if the word was
   * raised.
   */
  private boolean tryPublish(Channel channel, boolean hasCommitted) {
    if (isPublishing.get() || !isPublishing.compareAndSet(false, true)) {
      return false;
    }
    try {
      return raiseWord(channel, hasCommitted);
    } finally {
      isPublishing.set(false);
    }
  }

  private boolean raiseWord(Channel channel, boolean hasCommitted) {
    if (isBroken) {
      throw new FabricException(0, "the commits of this compute node cannot be published", null);
    }
    long landed = tickets.landed(time);
    if (landed <= published) {
      return false;
    }
    isBroken = true;
    channel.writeLong(
        CommitVector.slotAddress(vector, entry),
        CommitVector.word(timestamp(landed), hasCommitted));
    channel.flushRaised();
    isBroken = false;
    published = landed;
    learn(entry, timestamp(landed));
    return true;
  }

  @Override
  public int postRead(Channel channel) {
    return CommitVector.postRead(channel, vector, CommitVector.WORDS_MAX);
  }

  /** The words may be of different moments: each is a lower bound of later ones. */
  @Override
  public long learnRead(Channel channel, int offset) {
    copy(channel, offset, ticked, ticked.length - 1);
    for (int slot = 0; slot < ticked.length - 1; slot++) {
      learn(slot, ticked[slot]);
    }
    wasQuiet = !CommitVector.isAnyCommitted(ticked, ticked.length - 1);
    learn(CommitVector.newest(ticked, ticked.length - 1));
    long read = CommitVector.low(ticked, ticked.length - 1);
    learnLow(read);
    return read;
  }

  @Override
  public boolean wasQuiet() {
    return wasQuiet;
  }

  /** An idle compute node has to raise its word: it holds back the horizon of all. */
  @Override
  public void tick(Channel channel) {
    raiseToPhysical(now());
    tryPublish(channel, false);
  }
}
