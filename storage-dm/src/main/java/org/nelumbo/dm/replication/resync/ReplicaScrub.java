package org.nelumbo.dm.replication.resync;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrub: compares the live copies window by window while work continues. It runs on the view-change
 * thread when that has nothing else to do. A write barrier ({@link WriteBarrier}) blocks writes to
 * the window meanwhile, so all copies have every write. Words that differ are set to the value that
 * more than half of the copies have. Only for an exclusive pool: the barrier does not block writes
 * of other compute nodes.
 */
public final class ReplicaScrub implements CopiesCheck {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaScrub.class);

  /** Maximum number of bytes of each copy that are compared per second. */
  private static final long BYTES_A_SECOND = 64L << 20;

  private static final double NANOS_A_SECOND = 1e9;
  private static final int NAMED_MAX = 100;

  private final Environment environment;
  private final CurrentView currentView;
  private final WriteBarrier hold;
  private final NodeChannels channels;
  private final MemorySegment staging;
  private final int windowBytes;

  /**
   * Guards the following fields. The view-change thread reads the ones that only it writes without
   * the lock.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private boolean isRunning;
  private boolean isAllowed = true;
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

  /**
   * Creates a scrub that is not running.
   *
   * @param channels channels whose staging buffer has room for a window of each copy
   */
  public ReplicaScrub(
      Environment environment,
      CurrentView currentView,
      WriteBarrier hold,
      NodeChannels channels,
      int windowBytes) {
    this.environment = environment;
    this.currentView = currentView;
    this.hold = hold;
    this.channels = channels;
    this.staging = channels.staging();
    this.windowBytes = windowBytes;
  }

  @Override
  public boolean begin() {
    lock.lock();
    try {
      if (isAllowed && !isRunning) {
        isRunning = true;
        comparedBytes = 0;
        wantedBytes = 0;
        differingWords = 0;
        findings.clear();
      }
      return isAllowed;
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

  /** Ends the scrub for good, because other compute nodes are going to share the pool. */
  public void end() {
    lock.lock();
    try {
      isAllowed = false;
      isRunning = false;
    } finally {
      lock.unlock();
    }
    isBegun = false;
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
    }
    double due = (environment.nanoTime() - since) / NANOS_A_SECOND * BYTES_A_SECOND;
    if (paidBytes > due) {
      return false;
    }
    if (logical == view.placement().logicals()) {
      finish();
    } else {
      compare(view);
    }
    return true;
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

  private void compare(View view) {
    int length = from == 0 ? windowBytes : (int) Math.min(windowBytes, used - from);
    int slot = view.placement().slot(logical, view.primaryCopy(logical));
    if (!hold.tryHold(view, view.primary(logical), slot, logical, from, length)) {
      return;
    }
    try {
      if (!readCopies(view, length)) {
        return;
      }
      if (from == 0) {
        used = HighWaterMark.of(staging, place(view.primaryCopy(logical)), slotBytes(view));
        lock.lock();
        try {
          wantedBytes += used;
        } finally {
          lock.unlock();
        }
      }
      compareCopies(view, length);
    } finally {
      hold.release();
    }
    paidBytes += length;
    lock.lock();
    try {
      comparedBytes += Math.min(length, used - from);
    } finally {
      lock.unlock();
    }
    from += length;
    if (from >= used) {
      logical++;
      from = 0;
    }
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

  private void compareCopies(View view, int length) {
    int first = view.primaryCopy(logical);
    long end = from == 0 ? Math.min(length, used) : length;
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
      compareWord(view, at);
    }
  }

  private long word(int copy, long at) {
    return staging.get(ValueLayout.JAVA_LONG_UNALIGNED, place(copy) + at);
  }

  private void compareWord(View view, long at) {
    int first = view.primaryCopy(logical);
    int live = 0;
    int most = 0;
    long wanted = word(first, at);
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isLive(view, logical, copy)) {
        live++;
        int same = count(view, word(copy, at), at);
        wanted = same > most ? word(copy, at) : wanted;
        most = Math.max(most, same);
      }
    }
    if (most < live && !isCounter(from + at)) {
      settle(view, at, wanted, 2 * most > live);
    }
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

  private void settle(View view, long at, long wanted, boolean isMajority) {
    StringBuilder line = new StringBuilder("copies differ address=");
    line.append(PoolAddress.toString(PoolAddress.of(logical, from + at)));
    channels.begin();
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isLive(view, logical, copy)) {
        int node = view.placement().node(logical, copy);
        line.append(" node").append(node).append("=0x").append(Long.toHexString(word(copy, at)));
        Channel channel = isMajority && word(copy, at) != wanted ? channels.to(view, node) : null;
        if (channel != null) {
          long address = PoolAddress.of(0, view.placement().offset(logical, copy, from + at));
          channel.writeLong(address, wanted);
        }
      }
    }
    boolean isMended = isMajority && flush(view);
    line.append(
        isMended ? ": repaired with the value of the majority" : ": the correct value is unknown");
    note(line.toString(), isMended);
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
