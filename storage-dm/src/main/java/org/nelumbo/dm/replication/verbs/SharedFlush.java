package org.nelumbo.dm.replication.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.intent.FlushIntents;
import org.nelumbo.dm.replication.intent.IntentLayout;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.View;

/**
 * Executes the verbs of a flush on all copies while other compute nodes write there, too. Backups
 * run ahead of the primary: what is at the primary is everywhere, and everybody reads there.
 *
 * <ol>
 *   <li>All backups get the WRITEs and the FAAs. The last one decides each CAS.
 *   <li>The other backups get each CAS that has succeeded.
 *   <li>The primary gets all that, and the READs.
 * </ol>
 *
 * <p>So each word goes through its values in one order, from the last backup to the primary. A CAS
 * that was decided may come to a copy where the value that it expects is on its way still. It is
 * tried again, with the READs behind it. If that value does not come, since its writer has died,
 * the CAS is undone, and its user is told that it has failed.
 *
 * <p>The result of an FAA is that of the primary: behind all that is before it there. At backups
 * counters are never behind. Raising the clock by CAS is an FAA at backups, too.
 */
final class SharedFlush {
  /** A value that is on its way is there after one or two. */
  private static final int ATTEMPTS_MAX = 50;

  /** Bytes that are written at once, unless it is one verb: they go in one frame to each node. */
  private static final int BYTES_MAX = 256 << 10;

  private final Environment environment;
  private final CurrentView currentView;
  private final VerbList verbs;
  private final NodeChannels channels;
  private final MemorySegment staging;
  private final int resultsPlace;
  private final int intentPlace;

  /** Of a CAS: whether it was decided that it succeeds. Of an FAA: whether there is room. */
  private final boolean[] succeeds = new boolean[ReplicatedFlush.ATOMICS_MAX];

  /** Of a CAS that was decided: whether it is done at the copy that it is being brought to. */
  private final boolean[] settled = new boolean[ReplicatedFlush.ATOMICS_MAX];

  private final int[] atomicOf;

  /** The verbs that are executed together: from, and to before. */
  private int from;

  private int end;

  private View view;

  /**
   * @param resultsPlace where in the channels' staging results go: {@link
   *     ReplicatedFlush#ATOMICS_MAX} words for each copy
   * @param intentPlace where in it the intent goes
   */
  SharedFlush(
      Environment environment,
      CurrentView currentView,
      VerbList verbs,
      NodeChannels channels,
      int resultsPlace,
      int intentPlace) {
    this.environment = environment;
    this.currentView = currentView;
    this.verbs = verbs;
    this.channels = channels;
    this.staging = channels.staging();
    this.resultsPlace = resultsPlace;
    this.intentPlace = intentPlace;
    this.atomicOf = new int[ReplicatedFlush.ATOMICS_MAX];
  }

  /**
   * Executes the verbs.
   *
   * @param intents of this compute node; null: it has no room for them yet, and only draws from
   *     counters
   * @throws FabricException if the pool is lost
   */
  void run(FlushIntents intents) {
    view = currentView.current();
    end = 0;
    while (end < verbs.count()) {
      from = end;
      int writes = takeSome();
      if (writes == 0) {
        readOnly();
      } else if (intents == null) {
        execute(null, 0, 0);
      } else {
        int record = intents.take();
        execute(intents, record, intents.nextFlush(record));
        intents.give(record);
      }
    }
  }

  /** Takes as many verbs as fit an intent and a frame; returns how many of them are no READs. */
  private int takeSome() {
    int writes = 0;
    long bytes = 0;
    while (end < verbs.count()) {
      boolean isWrite = !verbs.isRead(end);
      int length = isWrite ? verbs.length(end) : 0;
      if (isWrite
          && writes > 0
          && (writes == IntentLayout.VERBS_MAX || bytes + length > BYTES_MAX)) {
        return writes;
      }
      writes += isWrite ? 1 : 0;
      bytes += length;
      end++;
    }
    return writes;
  }

  private void readOnly() {
    channels.begin();
    for (int i = from; i < end; i++) {
      post(i, view.primaryCopy(verbs.logical(i)), 0);
    }
    flush();
  }

  private void execute(FlushIntents intents, int record, long flush) {
    int atomics = 0;
    for (int i = from; i < end; i++) {
      if (verbs.isAtomic(i)) {
        succeeds[atomics] = true;
        settled[atomics] = true;
        atomicOf[atomics++] = i;
      }
    }
    if (intents != null) {
      noteIntent(flush);
    }
    toBackups(intents, record, flush, atomics);
    toPrimary(intents, record, flush, atomics);
    settle(atomics);
    takeBack(atomics);
    deliver(atomics);
  }

  private void noteIntent(long flush) {
    IntentLayout.begin(staging, intentPlace, flush);
    for (int i = from; i < end; i++) {
      if (!verbs.isRead(i)) {
        IntentLayout.add(
            staging,
            intentPlace,
            verbs.intentKind(i),
            verbs.logical(i),
            verbs.offset(i),
            verbs.length(i),
            verbs.operand(i),
            verbs.expected(i));
      }
    }
  }

  /** The last live copy: it decides. */
  private int lastCopy(int logical) {
    int copy = view.placement().copies() - 1;
    while (!isLive(logical, copy)) {
      copy--;
    }
    return copy;
  }

  private boolean isLive(int logical, int copy) {
    return view.isLive(view.placement().node(logical, copy));
  }

  private boolean isBackup(int logical, int copy) {
    return copy != view.primaryCopy(logical) && isLive(logical, copy);
  }

  private int result(int copy, int atomic) {
    return resultsPlace + (copy * ReplicatedFlush.ATOMICS_MAX + atomic) * Long.BYTES;
  }

  private long resultOf(int copy, int atomic) {
    return staging.get(ValueLayout.JAVA_LONG, result(copy, atomic));
  }

  private void toBackups(FlushIntents intents, int record, long flush, int atomics) {
    channels.begin();
    long noted = 0;
    int atomic = 0;
    for (int i = from; i < end; i++) {
      int logical = verbs.logical(i);
      for (int copy = 0; !verbs.isRead(i) && copy < view.placement().copies(); copy++) {
        if (isBackup(logical, copy) && (!isDecided(i) || copy == lastCopy(logical))) {
          noted = note(intents, record, noted, view.placement().node(logical, copy));
          postToBackup(i, copy, result(copy, atomic));
        }
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    mark(intents, record, flush, noted, false);
    flush();
    boolean isAnyLeft = false;
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      if (isDecided(i)) {
        succeeds[j] = resultOf(lastCopy(verbs.logical(i)), j) == verbs.expected(i);
        isAnyLeft |= succeeds[j] && isAnyBetween(verbs.logical(i));
      } else if (verbs.isAllocation(i)) {
        succeeds[j] = hasRoomAtBackups(i, j);
      }
    }
    if (isAnyLeft) {
      toOtherBackups(atomics);
    }
  }

  /** Whether a backup decides on it. */
  private boolean isDecided(int i) {
    int logical = verbs.logical(i);
    return verbs.isCas(i) && !verbs.isRaise(i) && lastCopy(logical) != view.primaryCopy(logical);
  }

  private boolean isAnyBetween(int logical) {
    for (int copy = 0; copy < lastCopy(logical); copy++) {
      if (isBackup(logical, copy)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRoomAtBackups(int i, int atomic) {
    int logical = verbs.logical(i);
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isBackup(logical, copy) && resultOf(copy, atomic) == SuperblockLayout.NO_ROOM) {
        return false;
      }
    }
    return true;
  }

  private void postToBackup(int i, int copy, int place) {
    if (verbs.isRaise(i)) {
      Channel channel = channelTo(verbs.logical(i), copy);
      if (channel != null) {
        channel.fetchAndAdd(address(i, copy), verbs.operand(i) - verbs.expected(i), place);
      }
    } else {
      post(i, copy, place);
    }
  }

  /** Notes the intent at a memory node before its first verb; returns the nodes that have it. */
  private long note(FlushIntents intents, int record, long noted, int node) {
    if (intents != null && (noted >>> node & 1) == 0) {
      Channel channel = channels.to(view, node);
      if (channel != null) {
        channel.write(
            PoolAddress.of(0, intents.place(node, record)),
            intentPlace,
            IntentLayout.length(staging, intentPlace));
      }
    }
    return noted | 1L << node;
  }

  private void mark(FlushIntents intents, int record, long flush, long noted, boolean isPrimary) {
    for (long left = intents == null ? 0 : noted; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      Channel channel = channels.to(view, node);
      if (channel != null) {
        long place = intents.place(node, record) + IntentLayout.doneOffset(isPrimary);
        channel.writeLong(PoolAddress.of(0, place), flush);
      }
    }
  }

  private void toOtherBackups(int atomics) {
    channels.begin();
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int logical = verbs.logical(i);
      for (int copy = 0; isDecided(i) && succeeds[j] && copy < lastCopy(logical); copy++) {
        if (isBackup(logical, copy)) {
          post(i, copy, result(copy, j));
        }
      }
    }
    flush();
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int logical = verbs.logical(i);
      for (int copy = 0; isDecided(i) && succeeds[j] && copy < lastCopy(logical); copy++) {
        if (isBackup(logical, copy) && resultOf(copy, j) != verbs.expected(i)) {
          settle(i, j, copy);
        }
      }
    }
  }

  private void toPrimary(FlushIntents intents, int record, long flush, int atomics) {
    channels.begin();
    long noted = 0;
    int atomic = 0;
    for (int i = from; i < end; i++) {
      int copy = view.primaryCopy(verbs.logical(i));
      if (!verbs.isRead(i)) {
        noted = note(intents, record, noted, view.placement().node(verbs.logical(i), copy));
      }
      if (!verbs.isAtomic(i) || succeeds[atomic]) {
        post(i, copy, result(copy, atomic));
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    mark(intents, record, flush, noted, true);
    flush();
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int copy = view.primaryCopy(verbs.logical(i));
      settled[j] = !succeeds[j] || !isDecided(i) || resultOf(copy, j) == verbs.expected(i);
    }
  }

  /** Brings to the primary what was decided, and not done there. */
  private void settle(int atomics) {
    for (int j = 0; j < atomics; j++) {
      if (!settled[j]) {
        int i = atomicOf[j];
        settle(i, j, view.primaryCopy(verbs.logical(i)));
      }
    }
  }

  /**
   * Tries a CAS that was decided again at a copy, until it is done there, somebody has written over
   * it, or it is undone.
   */
  private void settle(int i, int atomic, int copy) {
    int logical = verbs.logical(i);
    int last = lastCopy(logical);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      environment.backoff(attempt);
      channels.begin();
      Channel channel = channelTo(logical, last);
      if (channel != null) {
        channel.read(address(i, last), result(last, atomic), Long.BYTES);
      }
      post(i, copy, result(copy, atomic));
      if (copy == view.primaryCopy(logical)) {
        postReads(logical, copy);
      }
      flush();
      if (resultOf(copy, atomic) == verbs.expected(i)
          || resultOf(last, atomic) != verbs.operand(i)) {
        return;
      }
    }
    succeeds[atomic] = !isUndone(i, atomic, copy);
  }

  private void postReads(int logical, int copy) {
    for (int i = from; i < end; i++) {
      if (verbs.isRead(i) && verbs.logical(i) == logical) {
        post(i, copy, 0);
      }
    }
  }

  /**
   * Undoes a CAS that cannot be done at a copy, where it was decided last; false if somebody has
   * written over it there.
   */
  private boolean isUndone(int i, int atomic, int copy) {
    int logical = verbs.logical(i);
    long found = resultOf(copy, atomic);
    boolean isUndone = false;
    for (int each = 0; each <= lastCopy(logical); each++) {
      if (isBackup(logical, each) && each != copy) {
        channels.begin();
        Channel channel = channelTo(logical, each);
        if (channel != null) {
          channel.compareAndSwap(
              address(i, each), verbs.operand(i), verbs.expected(i), result(each, atomic));
        }
        flush();
        isUndone = resultOf(each, atomic) == verbs.operand(i);
      }
    }
    staging.set(ValueLayout.JAVA_LONG, result(lastCopy(logical), atomic), found);
    return isUndone;
  }

  /** Takes back at backups what was not done to counters of the primary. */
  private void takeBack(int atomics) {
    channels.begin();
    boolean isAny = false;
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int logical = verbs.logical(i);
      if (verbs.isRaise(i) && resultOf(view.primaryCopy(logical), j) != verbs.expected(i)) {
        for (int copy = 0; copy < view.placement().copies(); copy++) {
          Channel channel = isBackup(logical, copy) ? channelTo(logical, copy) : null;
          if (channel != null) {
            channel.fetchAndAdd(
                address(i, copy), verbs.expected(i) - verbs.operand(i), result(copy, j));
          }
        }
        isAny = true;
      }
    }
    if (isAny) {
      flush();
    }
  }

  /** Copies the results of CAS and FAA to their places in the staging buffer. */
  private void deliver(int atomics) {
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int logical = verbs.logical(i);
      long old;
      if (!isDecided(i)) {
        old = succeeds[j] ? resultOf(view.primaryCopy(logical), j) : SuperblockLayout.NO_ROOM;
      } else {
        old = succeeds[j] ? verbs.expected(i) : resultOf(lastCopy(logical), j);
      }
      staging.set(ValueLayout.JAVA_LONG_UNALIGNED, verbs.place(i), old);
    }
  }

  private long address(int i, int copy) {
    return PoolAddress.of(0, view.placement().offset(verbs.logical(i), copy, verbs.offset(i)));
  }

  private Channel channelTo(int logical, int copy) {
    return channels.to(view, view.placement().node(logical, copy));
  }

  private void post(int i, int copy, int place) {
    Channel channel = channelTo(verbs.logical(i), copy);
    if (channel != null) {
      verbs.post(i, channel, address(i, copy), place);
    }
  }

  /** One round trip to all nodes that something was posted to. */
  private void flush() {
    if (!channels.flush()) {
      int node = Long.numberOfTrailingZeros(channels.failed());
      currentView.lose(node, "the pool is lost: " + channels.failure(node).getMessage());
      currentView.current();
    }
  }
}
