package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.intent.IntentLayout;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrub: compares the live copies window by window while work continues. It runs on the view-change
 * thread when that has nothing else to do. Copies differ for a moment while a flush is in progress,
 * and for longer if a compute node has failed during a flush. So a difference counts only if the
 * words stay as they are for longer than the lease of a compute node. If more than half of the
 * copies agree, the memory node with another value is excluded, as if it had failed, and is filled
 * again.
 */
public final class ReplicaScrub implements CopiesCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaScrub.class);

  /** Maximum number of bytes of each copy that are compared per second. */
  private static final long BYTES_A_SECOND = 64L << 20;

  private static final double NANOS_A_SECOND = 1e9;
  private static final int NAMED_MAX = 100;

  /** Number of leases for which words have to differ. */
  private static final int LEASES = 2;

  private final Environment environment;
  private final CurrentView currentView;
  private final NodeChannels channels;
  private final MemorySegment staging;
  private final int windowBytes;
  private final LongSupplier leaseNanos;

  /**
   * Guards the following fields. The view-change thread reads the ones that only it writes without
   * the lock.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private boolean isRunning;
  private long rounds;
  private long comparedBytes;
  private long wantedBytes;
  private long mendedWords;
  private long differingWords;
  private final List<String> findings = new ArrayList<>();

  // Confined to the view-change thread.
  private boolean isBegun;
  private int logical;
  private long from;
  private long used;
  private long since;
  private long paidBytes;

  /** Words of the window that differ; empty if none was found to differ yet. */
  private final List<Difference> differences = new ArrayList<>();

  private long differingSince;
  private long differingView;

  /**
   * A word that differs.
   *
   * @param at offset in the window
   * @param words value at each copy; 0 at copies that are not live
   */
  private record Difference(long at, long[] words) {}

  /**
   * Creates a scrub that is not running.
   *
   * @param channels channels whose staging buffer has room for a window of each copy
   * @param leaseNanos returns how long a compute node may be silent
   */
  public ReplicaScrub(
      Environment environment,
      CurrentView currentView,
      NodeChannels channels,
      int windowBytes,
      LongSupplier leaseNanos) {
    this.environment = environment;
    this.currentView = currentView;
    this.channels = channels;
    this.staging = channels.staging();
    this.windowBytes = windowBytes;
    this.leaseNanos = leaseNanos;
  }

  @Override
  public void begin() {
    lock.lock();
    try {
      if (!isRunning) {
        isRunning = true;
        comparedBytes = 0;
        wantedBytes = 0;
        differingWords = 0;
        findings.clear();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Status status() {
    lock.lock();
    try {
      return new Status(
          rounds, isRunning, comparedBytes, wantedBytes, mendedWords, differingWords, findings);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Compares a window if one is due.
   *
   * @param view view in force, in which no node is being filled
   * @return true if it has compared a window
   */
  public boolean step(View view) {
    lock.lock();
    try {
      if (!isRunning) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    if (!isBegun) {
      isBegun = true;
      logical = 0;
      from = 0;
      since = environment.nanoTime();
      paidBytes = 0;
      differences.clear();
    }
    double due = (environment.nanoTime() - since) / NANOS_A_SECOND * BYTES_A_SECOND;
    if (paidBytes > due) {
      return false;
    }
    if (logical == view.placement().logicals()) {
      finish();
      return true;
    }
    return compare(view);
  }

  private void finish() {
    isBegun = false;
    lock.lock();
    try {
      isRunning = false;
      rounds++;
    } finally {
      lock.unlock();
    }
    LOG.info("compared all copies: {}", status());
  }

  /** Returns false if nothing was compared, or the window has to be compared again later. */
  private boolean compare(View view) {
    int length = from == 0 ? windowBytes : (int) Math.min(windowBytes, used - from);
    if (!readCopies(view, length)) {
      return false;
    }
    if (from == 0 && differences.isEmpty()) {
      used = HighWaterMark.of(staging, place(view.primaryCopy(logical)), slotBytes(view));
    }
    if (!isDecided(view, from == 0 ? Math.min(length, used) : length)) {
      return false;
    }
    paidBytes += length;
    lock.lock();
    try {
      wantedBytes += from == 0 ? used : 0;
      comparedBytes += Math.min(length, used - from);
    } finally {
      lock.unlock();
    }
    from += length;
    if (from >= used) {
      logical++;
      from = 0;
    }
    return true;
  }

  private static long slotBytes(View view) {
    return view.placement().slotBytes();
  }

  private long place(int copy) {
    return (long) copy * windowBytes;
  }

  private static boolean isLive(View view, int logical, int copy) {
    return view.isLive(view.placement().node(logical, copy));
  }

  /** Returns false and reports the nodes if some have failed. */
  private boolean readCopies(View view, int length) {
    channels.begin();
    Placement placement = view.placement();
    for (int copy = 0; copy < placement.copies(); copy++) {
      if (isLive(view, logical, copy)) {
        Channel channel = channels.to(view, placement.node(logical, copy));
        if (channel != null) {
          long address = PoolAddress.of(0, placement.offset(logical, copy, from));
          channel.read(address, (int) place(copy), length);
        }
      }
    }
    return flush(view);
  }

  private boolean flush(View view) {
    boolean isWhole = channels.flush();
    for (long left = channels.failed(); left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      currentView.suspect(node, view.connection(node), channels.failure(node));
    }
    return isWhole;
  }

  /** Returns true if the copies are equal, or have differed for long enough. */
  private boolean isDecided(View view, long end) {
    long now = environment.nanoTime();
    if (differences.isEmpty() || differingView != view.number()) {
      differences.clear();
      findDifferences(view, end);
      removeIntents(view);
      differingSince = now;
      differingView = view.number();
      return differences.isEmpty();
    }
    differences.removeIf(each -> !Arrays.equals(words(view, each.at), each.words));
    if (differences.isEmpty()) {
      return true;
    }
    if (now - differingSince <= LEASES * leaseNanos.getAsLong()) {
      return false;
    }
    removeIntents(view); // a compute node may have joined
    differences.forEach(each -> decide(view, each));
    differences.clear();
    return true;
  }

  private void findDifferences(View view, long end) {
    int first = view.primaryCopy(logical);
    boolean isEqual = true;
    for (int copy = 0; copy < view.placement().copies() && isEqual; copy++) {
      isEqual =
          !isLive(view, logical, copy)
              || MemorySegment.mismatch(
                      staging,
                      place(first),
                      place(first) + end,
                      staging,
                      place(copy),
                      place(copy) + end)
                  < 0;
    }
    for (long at = 0; at + Long.BYTES <= end && !isEqual; at += Long.BYTES) {
      if (count(view, word(first, at), at) < live(view) && !isCounter(from + at)) {
        differences.add(new Difference(at, words(view, at)));
      }
    }
  }

  /** Removes the words of blocks that each memory node has for itself. */
  private void removeIntents(View view) {
    int node = view.placement().node(logical, 0);
    if (differences.isEmpty() || node != logical || !view.isLive(node)) {
      return;
    }
    long[] blocks;
    try (IntentTable table = new IntentTable(environment, view)) {
      blocks = table.blocks(node);
    } catch (FabricException e) {
      currentView.suspect(node, view.connection(node), e);
      differences.clear();
      return;
    }
    long window = view.placement().offset(logical, 0, from);
    differences.removeIf(
        each ->
            Arrays.stream(blocks)
                .anyMatch(
                    block ->
                        window + each.at >= block
                            && window + each.at < block + IntentLayout.BLOCK_LENGTH));
  }

  private int live(View view) {
    int live = 0;
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      live += isLive(view, logical, copy) ? 1 : 0;
    }
    return live;
  }

  private long[] words(View view, long at) {
    long[] words = new long[view.placement().copies()];
    for (int copy = 0; copy < words.length; copy++) {
      words[copy] = isLive(view, logical, copy) ? word(copy, at) : 0;
    }
    return words;
  }

  private long word(int copy, long at) {
    return staging.get(ValueLayout.JAVA_LONG_UNALIGNED, place(copy) + at);
  }

  private int count(View view, long value, long at) {
    int same = 0;
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      same += isLive(view, logical, copy) && word(copy, at) == value ? 1 : 0;
    }
    return same;
  }

  /** Returns true for the counters, at which backups may be ahead: see {@code CounterRepair}. */
  private static boolean isCounter(long offset) {
    return offset == SuperblockLayout.BUMP_OFFSET
        || offset == SuperblockLayout.CLOCK_OFFSET
        || offset == SuperblockLayout.JOINS_OFFSET;
  }

  private void decide(View view, Difference word) {
    StringBuilder line = new StringBuilder("copies differ address=");
    line.append(PoolAddress.toString(PoolAddress.of(logical, from + word.at)));
    int deviating = -1;
    boolean isMajority = false;
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isLive(view, logical, copy)) {
        int node = view.placement().node(logical, copy);
        line.append(" node").append(node).append("=0x").append(Long.toHexString(word.words[copy]));
        boolean isOfMost = 2 * count(view, word.words[copy], word.at) > live(view);
        isMajority |= isOfMost;
        deviating = isOfMost ? deviating : node;
      }
    }
    if (isMajority) {
      line.append(": repaired by filling node").append(deviating).append(" again");
      String why = "its copy differs from those of most memory nodes";
      currentView.suspect(
          deviating, view.connection(deviating), new FabricException(deviating, why, null));
    } else {
      line.append(": the correct value is unknown");
    }
    note(line.toString(), isMajority);
  }

  private void note(String line, boolean isMended) {
    LOG.warn("{}", line);
    lock.lock();
    try {
      if (isMended) {
        mendedWords++;
      } else {
        differingWords++;
      }
      if (findings.size() < NAMED_MAX) {
        findings.add(line);
      }
    } finally {
      lock.unlock();
    }
  }
}
