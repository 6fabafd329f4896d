package org.nelumbo.dm.replication.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.intent.FlushIntents;
import org.nelumbo.dm.replication.intent.IntentLayout;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * Executes the verbs of a flush on all copies while other compute nodes write to the pool, too.
 * Backups run ahead of the primary: a write is at all backups before it is at the primary, and all
 * compute nodes read at the primary.
 *
 * <ol>
 *   <li>All backups receive the WRITEs and FAAs. The last backup decides each CAS.
 *   <li>The other backups receive each CAS that has succeeded.
 *   <li>The primary receives all these verbs, and the READs.
 * </ol>
 *
 * <p>So each word takes its values in one order, from the last backup to the primary. A decided CAS
 * may reach a copy before the value that it expects. Then it is retried, together with the READs
 * posted behind it. If that value does not arrive because its writer has failed, the CAS is undone
 * and reported as failed.
 *
 * <p>The result of an FAA is the one that the primary returns, so it includes all updates before it
 * there. Counters at backups are never behind those of the primary. A CAS that raises the clock is
 * an FAA at backups.
 *
 * <p><b>Failures.</b> If a memory node fails, the flush waits for the next view and continues
 * there. At each copy it repeats only the verbs that are not done there, since other compute nodes
 * may depend on the rest.
 *
 * <ul>
 *   <li>A CAS stays decided if the copy that decided it is still in the view, or if it was brought
 *       to the copy that decides now.
 *   <li>An FAA is repeated at all copies, unless the primary that returned its result is still in
 *       the view.
 *   <li>READs are repeated.
 * </ul>
 *
 * <p><b>Partial execution.</b> Where memory nodes may execute any prefix of what they receive (not
 * {@link View#executesFrames}), a completion mark for all earlier writes precedes each verb that
 * lets other compute nodes proceed: a CAS, or the release of a latch. So if such a verb was
 * executed at a memory node, the writes before it are marked there.
 *
 * <p><b>A node that is being filled</b> is one more backup for the range that the flush's {@link
 * FillEpoch} covers. It decides a CAS only where there is no live backup. If the flush writes to a
 * range behind the write barrier of its fill epoch, it waits for the next epoch before it sends
 * anything.
 */
final class SharedFlush {
  /** Retries of a decided CAS before it is undone. A value in flight arrives after one or two. */
  private static final int ATTEMPTS_MAX = 50;

  /**
   * Maximum number of bytes written by one group of verbs, unless it is a single verb. A group is
   * one frame to each node.
   */
  private static final int BYTES_MAX = 256 << 10;

  private static final int NOBODY = -1;

  private final Environment environment;
  private final CurrentView currentView;
  private final ViewGate gate;
  private final ReadLease readLease;
  private final VerbList verbs;
  private final NodeChannels channels;
  private final MemorySegment staging;
  private final int resultsPlace;
  private final int intentPlace;

  /** For a CAS, whether it succeeds, as far as decided. For an FAA, whether there is room. */
  private final boolean[] succeeds = new boolean[ReplicatedFlush.ATOMICS_MAX];

  /** Copy that has decided each CAS; the primary copy for verbs that the primary decides. */
  private final int[] decider = new int[ReplicatedFlush.ATOMICS_MAX];

  /** Value that the deciding copy returned. */
  private final long[] found = new long[ReplicatedFlush.ATOMICS_MAX];

  /** Copies at which each CAS is done, one bit per copy. */
  private final int[] doneCas = new int[ReplicatedFlush.ATOMICS_MAX];

  private final int[] postedCas = new int[ReplicatedFlush.ATOMICS_MAX];

  /**
   * For a CAS that raises the clock, whether backups have to revert it if it fails at the primary.
   */
  private final boolean[] takesBack = new boolean[ReplicatedFlush.ATOMICS_MAX];

  private final int[] atomicOf = new int[ReplicatedFlush.ATOMICS_MAX];

  /**
   * Copies at which each WRITE is done, one bit per copy; {@code posted} has the copies to which it
   * is in flight.
   */
  private int[] done = new int[64];

  private int[] posted = new int[64];

  /** Index of each verb in the intent record. */
  private int[] ordinals = new int[64];

  /** First verb of the group that is executed together; {@code end} is exclusive. */
  private int from;

  private int end;
  private int atomics;
  private View view;
  private ViewGate.Pass pass;

  /** True if memory nodes may execute only a part of what they receive. */
  private boolean endsAnywhere;

  /** Memory nodes that were written to since their last completion mark, one bit per node. */
  private long unmarked;

  /**
   * Memory nodes that have received the intent since the flush began to write to backups, one bit
   * per node.
   */
  private long notedAtBackups;

  /**
   * @param stagingOffsets offsets of the results and of the intent record in the staging buffer of
   *     the channels
   */
  SharedFlush(
      Environment environment,
      CurrentView currentView,
      ViewGate gate,
      ReadLease readLease,
      VerbList verbs,
      NodeChannels channels,
      FlushStaging stagingOffsets) {
    this.environment = environment;
    this.currentView = currentView;
    this.gate = gate;
    this.readLease = readLease;
    this.verbs = verbs;
    this.channels = channels;
    this.staging = channels.staging();
    this.resultsPlace = stagingOffsets.results();
    this.intentPlace = stagingOffsets.intent();
  }

  /**
   * Executes the verbs.
   *
   * @param intents intent records of this compute node, or null while it has none; then the flush
   *     may only draw from counters
   * @throws FabricException if the pool is lost
   */
  void run(FlushIntents intents) {
    ensureRoom();
    end = 0;
    while (end < verbs.count()) {
      from = end;
      int writes = takeSome();
      if (writes == 0) {
        readOnly();
      } else if (intents == null) {
        write(null, 0);
      } else {
        int record = intents.take();
        write(intents, record);
        intents.give(record);
      }
    }
  }

  /**
   * Executes WRITEs without intents: see {@link Channel#flushLogged} and {@link
   * Channel#flushRaised}.
   *
   * @param backupsFirst false if all copies receive the WRITEs at once
   * @throws FabricException if the pool is lost
   */
  void runWithoutIntents(boolean backupsFirst) {
    ensureRoom();
    end = 0;
    while (end < verbs.count()) {
      from = end;
      takeBytes();
      enter();
      try {
        begin();
        while (!(backupsFirst ? toCopies(false) && toCopies(true) : toAllCopies())) {
          view = gate.awaitNext(view, this::report);
        }
      } finally {
        gate.leave(pass);
      }
    }
  }

  private void takeBytes() {
    long bytes = 0;
    do {
      bytes += verbs.length(end++);
    } while (end < verbs.count() && bytes + verbs.length(end) <= BYTES_MAX);
  }

  /** Returns false if a memory node has failed or the view is being changed. */
  private boolean toAllCopies() {
    channels.begin();
    postWrites(false);
    postWrites(true);
    return flush();
  }

  private boolean toCopies(boolean isPrimary) {
    channels.begin();
    postWrites(isPrimary);
    return flush();
  }

  private void postWrites(boolean isPrimary) {
    for (int i = from; i < end; i++) {
      for (int copy = 0; copy < view.placement().copies(); copy++) {
        if (isPrimary ? copy == view.primaryCopy(verbs.logical(i)) : isBackup(i, copy)) {
          postWrite(i, copy);
        }
      }
    }
  }

  private void ensureRoom() {
    if (verbs.count() > done.length) {
      int size = Math.max(verbs.count(), 2 * done.length);
      posted = new int[size];
      ordinals = new int[size];
      done = new int[size];
    }
  }

  /** Returns the number of verbs that are not READs. */
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
      ordinals[end] = writes;
      writes += isWrite ? 1 : 0;
      bytes += length;
      end++;
    }
    return writes;
  }

  private void readOnly() {
    boolean isDone = false;
    while (!isDone) {
      ReadLease.Failure unconfirmed = null;
      pass = gate.enter();
      try {
        view = currentView.current();
        channels.begin();
        for (int i = from; i < end; i++) {
          post(i, view.primaryCopy(verbs.logical(i)), 0);
        }
        unconfirmed = channels.flush() ? readLease.confirm(view) : null;
        isDone = channels.failed() == 0 && unconfirmed == null;
      } finally {
        gate.leave(pass);
      }
      for (long left = channels.failed(); left != 0; left &= left - 1) {
        int node = Long.numberOfTrailingZeros(left);
        currentView.awaitExclusion(node, channels.connection(node), channels.failure(node));
      }
      if (unconfirmed != null) {
        int node = unconfirmed.node();
        currentView.awaitExclusion(node, view.connection(node), unconfirmed.why());
      }
    }
  }

  private void write(FlushIntents intents, int record) {
    enter();
    try {
      long flush = intents == null ? 0 : intents.nextFlush(record);
      begin();
      while (!execute(intents, record, flush)) {
        view = gate.awaitNext(view, this::report);
      }
      deliver();
    } finally {
      gate.leave(pass);
    }
  }

  /** Enters the gate at a fill epoch whose write barrier does not block any verb of the group. */
  private void enter() {
    for (int attempt = 0; ; attempt++) {
      pass = gate.enter();
      boolean isIn = false;
      try {
        view = currentView.current();
        isIn = !isHeld();
      } finally {
        if (!isIn) {
          gate.leave(pass);
        }
      }
      if (isIn) {
        return;
      }
      environment.backoff(attempt);
    }
  }

  private boolean isHeld() {
    FillEpoch step = pass.step();
    if (step.view() == view.number() && step.to() > 0) {
      Placement placement = view.placement();
      for (int i = from; i < end; i++) {
        int copy =
            verbs.isRead(i) ? placement.copies() : placement.copy(step.node(), verbs.logical(i));
        if (copy < placement.copies()
            && step.holds(
                placement.slot(verbs.logical(i), copy), verbs.offset(i), verbs.length(i))) {
          return true;
        }
      }
    }
    return false;
  }

  private void report() {
    for (long left = channels.failed(); left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      currentView.suspect(node, channels.connection(node), channels.failure(node));
    }
  }

  private void begin() {
    atomics = 0;
    Arrays.fill(done, from, end, 0);
    Arrays.fill(posted, from, end, 0);
    for (int i = from; i < end; i++) {
      if (verbs.isAtomic(i)) {
        decider[atomics] = NOBODY;
        doneCas[atomics] = 0;
        postedCas[atomics] = 0;
        takesBack[atomics] = false;
        atomicOf[atomics++] = i;
      }
    }
  }

  /** Returns false if a memory node has failed or the view is being changed. */
  private boolean execute(FlushIntents intents, int record, long flush) {
    endsAnywhere = !view.executesFrames();
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int copy = decider[j];
      boolean isLeft = copy != NOBODY && (isLive(verbs.logical(i), copy) || isFilled(i, copy));
      boolean isKept = isLeft && (isCas(i) || copy == view.primaryCopy(verbs.logical(i)));
      if (!isKept) {
        decider[j] = NOBODY;
        succeeds[j] = true;
      }
    }
    noteIntent(flush);
    return toBackups(intents, record, flush)
        && decide()
        && toOtherBackups(intents, record)
        && toPrimary(intents, record, flush)
        && settle()
        && takeBack();
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
    if (endsAnywhere) {
      IntentLayout.seal(staging, intentPlace);
    }
  }

  /**
   * Returns the copy that decides a CAS: the last live copy or, if only the primary is live, the
   * copy on a node that is being filled.
   */
  private int lastCopy(int i) {
    int logical = verbs.logical(i);
    int primary = view.primaryCopy(logical);
    int last = primary;
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (copy > primary && isLive(logical, copy)) {
        last = copy;
      }
    }
    for (int copy = 0; last == primary && copy < view.placement().copies(); copy++) {
      last = isFilled(i, copy) ? copy : last;
    }
    return last;
  }

  private boolean isFilled(int i, int copy) {
    FillEpoch step = pass.step();
    int logical = verbs.logical(i);
    return step.view() == view.number()
        && !step.isInvitation()
        && view.placement().node(logical, copy) == step.node()
        && step.covers(view.placement().slot(logical, copy), verbs.offset(i));
  }

  private boolean isLive(int logical, int copy) {
    return view.isLive(view.placement().node(logical, copy));
  }

  /** Returns true if a copy receives a verb before the primary does. */
  private boolean isBackup(int i, int copy) {
    int logical = verbs.logical(i);
    return copy != view.primaryCopy(logical) && (isLive(logical, copy) || isFilled(i, copy));
  }

  private int result(int copy, int atomic) {
    return resultsPlace + (copy * ReplicatedFlush.ATOMICS_MAX + atomic) * Long.BYTES;
  }

  private long resultOf(int copy, int atomic) {
    return staging.get(ValueLayout.JAVA_LONG, result(copy, atomic));
  }

  private boolean isCas(int i) {
    return verbs.isCas(i) && !verbs.isRaise(i);
  }

  private boolean isDecided(int i) {
    return isCas(i) && lastCopy(i) != view.primaryCopy(verbs.logical(i));
  }

  private boolean isCasDone(int atomic, int copy) {
    return (doneCas[atomic] >>> copy & 1) != 0;
  }

  private boolean toBackups(FlushIntents intents, int record, long flush) {
    channels.begin();
    unmarked = 0;
    notedAtBackups = 0;
    int atomic = 0;
    for (int i = from; i < end; i++) {
      int logical = verbs.logical(i);
      for (int copy = 0; !verbs.isRead(i) && copy < view.placement().copies(); copy++) {
        if (isBackup(i, copy) && (!isDecided(i) || copy == lastCopy(i))) {
          int node = view.placement().node(logical, copy);
          notedAtBackups = note(intents, record, notedAtBackups, node);
          markBefore(i, intents, record, flush, notedAtBackups & 1L << node);
          postToBackup(i, atomic, copy);
        }
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    mark(intents, record, flush, notedAtBackups);
    return flush();
  }

  private void postToBackup(int i, int atomic, int copy) {
    if (!verbs.isAtomic(i)) {
      postWrite(i, copy);
    } else if (decider[atomic] == NOBODY && !isCas(i)) {
      postCounter(i, copy, result(copy, atomic));
    } else if (decider[atomic] == NOBODY && !isCasDone(atomic, copy)) {
      postCas(i, atomic, copy);
    }
  }

  /** Posts a counter update to a backup, where a CAS that raises the clock is an FAA. */
  private void postCounter(int i, int copy, int stagingOffset) {
    if (verbs.isRaise(i)) {
      Channel channel = channelTo(verbs.logical(i), copy);
      if (channel != null) {
        channel.fetchAndAdd(address(i, copy), verbs.operand(i) - verbs.expected(i), stagingOffset);
      }
    } else {
      post(i, copy, stagingOffset);
    }
  }

  private boolean decide() {
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int last = lastCopy(i);
      if (isDecided(i) && decider[j] == NOBODY) {
        decider[j] = last;
        succeeds[j] = isCasDone(j, last);
        found[j] = resultOf(last, j);
      } else if (verbs.isAllocation(i) && decider[j] == NOBODY) {
        succeeds[j] = hasRoomAtBackups(i, j);
      }
    }
    return true;
  }

  private boolean hasRoomAtBackups(int i, int atomic) {
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (isBackup(i, copy) && resultOf(copy, atomic) == SuperblockLayout.NO_ROOM) {
        return false;
      }
    }
    return true;
  }

  /** Returns the nodes that have the intent, one bit per node. */
  private long note(FlushIntents intents, int record, long noted, int node) {
    if (!view.isLive(node)) {
      return noted;
    }
    if (intents != null && (noted >>> node & 1) == 0) {
      Channel channel = channels.to(view, node);
      if (channel != null) {
        if (endsAnywhere) { // first, so that a partly written record is not taken for the previous
          // flush
          channel.writeLong(
              PoolAddress.of(0, intents.recordAddress(node, record)),
              IntentLayout.flush(staging, intentPlace));
        }
        channel.write(
            PoolAddress.of(0, intents.recordAddress(node, record)),
            intentPlace,
            IntentLayout.length(staging, intentPlace));
      }
    }
    return noted | 1L << node;
  }

  /**
   * Marks the writes already posted to a memory node as complete if the next verb lets other
   * compute nodes act on them.
   *
   * @param noted bit of the memory node, or 0 if it has no intent
   */
  private void markBefore(int i, FlushIntents intents, int record, long flush, long noted) {
    if (!endsAnywhere) {
      return;
    }
    if (verbs.isCas(i) || verbs.isRelease(i)) {
      mark(intents, record, flush, noted & unmarked);
      unmarked &= ~noted;
    } else if (!verbs.isAtomic(i)) {
      unmarked |= noted;
    }
  }

  /** Posts completion marks of the verbs that the memory nodes will have executed by then. */
  private void mark(FlushIntents intents, int record, long flush, long noted) {
    for (long left = intents == null ? 0 : noted; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      Channel channel = channels.to(view, node);
      if (channel != null) {
        channel.writeLong(
            PoolAddress.of(0, intents.recordAddress(node, record) + IntentLayout.doneOffset()),
            IntentLayout.done(flush, doneAt(node)));
      }
    }
  }

  private long doneAt(int node) {
    long bits = 0;
    for (int i = from; i < end; i++) {
      int copy = view.placement().copy(node, verbs.logical(i));
      boolean isDone =
          !verbs.isRead(i)
              && copy < view.placement().copies()
              && ((done[i] | posted[i]) >>> copy & 1) != 0;
      bits |= isDone ? 1L << ordinals[i] : 0;
    }
    return bits;
  }

  /** A CAS may remain at such a copy when its decider is gone, so the copy has the intent, too. */
  private boolean toOtherBackups(FlushIntents intents, int record) {
    channels.begin();
    boolean isAny = false;
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      for (int copy = 0; isMissing(j) && copy < view.placement().copies(); copy++) {
        if (isOtherBackup(i, copy) && !isCasDone(j, copy)) {
          int node = view.placement().node(verbs.logical(i), copy);
          notedAtBackups = note(intents, record, notedAtBackups, node);
          postCas(i, j, copy);
          isAny = true;
        }
      }
    }
    if (isAny && !flush()) {
      return false;
    }
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      for (int copy = 0; isMissing(j) && copy < view.placement().copies(); copy++) {
        boolean isLeft = isOtherBackup(i, copy) && !isCasDone(j, copy);
        if (isLeft && !settle(i, j, copy)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isOtherBackup(int i, int copy) {
    return isBackup(i, copy) && copy != lastCopy(i);
  }

  /**
   * Returns true if a backup has decided that a CAS succeeds, so that all copies have to execute
   * it.
   */
  private boolean isMissing(int atomic) {
    return isDecided(atomicOf[atomic]) && succeeds[atomic];
  }

  private boolean toPrimary(FlushIntents intents, int record, long flush) {
    channels.begin();
    unmarked = 0;
    long noted = 0;
    int atomic = 0;
    for (int i = from; i < end; i++) {
      int copy = view.primaryCopy(verbs.logical(i));
      if (verbs.isRead(i)) {
        post(i, copy, 0);
      } else {
        int node = view.placement().node(verbs.logical(i), copy);
        noted = note(intents, record, noted, node);
        markBefore(i, intents, record, flush, noted & 1L << node);
        postToPrimary(i, atomic, copy);
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    mark(intents, record, flush, noted);
    boolean isWhole = flush();
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int copy = view.primaryCopy(verbs.logical(i));
      int node = view.placement().node(verbs.logical(i), copy);
      boolean isAsked = !isDecided(i) && decider[j] == NOBODY && succeeds[j];
      if (isAsked && !channels.hasFailed(node)) {
        decider[j] = copy;
        found[j] = isCas(i) && isCasDone(j, copy) ? verbs.expected(i) : resultOf(copy, j);
        succeeds[j] = !isCas(i) || found[j] == verbs.expected(i);
      }
    }
    return isWhole;
  }

  private void postToPrimary(int i, int atomic, int copy) {
    if (!verbs.isAtomic(i)) {
      postWrite(i, copy);
    } else if (isCas(i)) {
      boolean isWanted = isDecided(i) ? succeeds[atomic] : decider[atomic] == NOBODY;
      if (isWanted && !isCasDone(atomic, copy)) {
        postCas(i, atomic, copy);
      }
    } else if (succeeds[atomic] && decider[atomic] == NOBODY) {
      post(i, copy, result(copy, atomic));
      takesBack[atomic] = verbs.isRaise(i);
    }
  }

  private boolean settle() {
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      int copy = view.primaryCopy(verbs.logical(i));
      if (isMissing(j) && !isCasDone(j, copy) && !settle(i, j, copy)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Retries a decided CAS at a copy until it is done there, another flush has overwritten its word
   * at the decider, or it is undone. Returns false if a memory node has failed or the view is being
   * changed.
   */
  private boolean settle(int i, int atomic, int copy) {
    int logical = verbs.logical(i);
    int last = lastCopy(i);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      if (gate.isClosedFor(view)) {
        return false;
      }
      environment.backoff(attempt);
      channels.begin();
      Channel channel = channelTo(logical, last);
      if (channel != null) {
        channel.read(address(i, last), result(last, atomic), Long.BYTES);
      }
      postCas(i, atomic, copy);
      if (copy == view.primaryCopy(logical)) {
        postReads(logical, copy);
      }
      if (!flush()) {
        return false;
      }
      if (isCasDone(atomic, copy)) {
        return true;
      }
      if (resultOf(last, atomic) != verbs.operand(i)) {
        doneCas[atomic] |= 1 << copy; // by the flush that has overwritten it
        return true;
      }
    }
    return undo(i, atomic, copy);
  }

  private void postReads(int logical, int copy) {
    for (int i = from; i < end; i++) {
      if (verbs.isRead(i) && verbs.logical(i) == logical) {
        post(i, copy, 0);
      }
    }
  }

  /**
   * Undoes a CAS that cannot be executed at a copy, last at the copy that has decided it, unless
   * its word has been overwritten there. Returns false if a memory node has failed.
   */
  private boolean undo(int i, int atomic, int copy) {
    int last = lastCopy(i);
    long there = resultOf(copy, atomic);
    for (int each = 0; each < view.placement().copies(); each++) {
      if (isOtherBackup(i, each) && each != copy && !undoAt(i, atomic, each)) {
        return false;
      }
    }
    if (last != copy && !undoAt(i, atomic, last)) {
      return false;
    }
    if (isCasDone(atomic, last)) {
      doneCas[atomic] |= 1 << copy; // by the flush that has overwritten it
    } else {
      succeeds[atomic] = false;
      found[atomic] = there;
    }
    return true;
  }

  private boolean undoAt(int i, int atomic, int copy) {
    channels.begin();
    Channel channel = channelTo(verbs.logical(i), copy);
    if (channel != null) {
      channel.compareAndSwap(
          address(i, copy), verbs.operand(i), verbs.expected(i), result(copy, atomic));
    }
    if (!flush()) {
      return false;
    }
    if (resultOf(copy, atomic) == verbs.operand(i)) {
      doneCas[atomic] &= ~(1 << copy);
    }
    return true;
  }

  /** Reverts counter updates at backups that the primary has not executed. */
  private boolean takeBack() {
    channels.begin();
    boolean isAny = false;
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      if (takesBack[j] && found[j] != verbs.expected(i)) {
        takeBack(i, j);
        isAny = true;
      }
      takesBack[j] = false;
    }
    return !isAny || flush();
  }

  private void takeBack(int i, int atomic) {
    int logical = verbs.logical(i);
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      Channel channel = isBackup(i, copy) ? channelTo(logical, copy) : null;
      if (channel != null) {
        channel.fetchAndAdd(
            address(i, copy), verbs.expected(i) - verbs.operand(i), result(copy, atomic));
      }
    }
  }

  private void deliver() {
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      long old;
      if (isCas(i)) {
        old = succeeds[j] ? verbs.expected(i) : found[j];
      } else {
        old = succeeds[j] ? found[j] : SuperblockLayout.NO_ROOM;
      }
      staging.set(ValueLayout.JAVA_LONG_UNALIGNED, verbs.stagingOffset(i), old);
    }
  }

  private long address(int i, int copy) {
    return PoolAddress.of(0, view.placement().offset(verbs.logical(i), copy, verbs.offset(i)));
  }

  private Channel channelTo(int logical, int copy) {
    return channels.to(view, view.placement().node(logical, copy));
  }

  private boolean isLeftToDo(int i, int copy) {
    return (done[i] >>> copy & 1) == 0;
  }

  private void postWrite(int i, int copy) {
    if (isLeftToDo(i, copy)) {
      posted[i] |= 1 << copy;
      post(i, copy, 0);
    }
  }

  private void postCas(int i, int atomic, int copy) {
    postedCas[atomic] |= 1 << copy;
    post(i, copy, result(copy, atomic));
  }

  private void post(int i, int copy, int stagingOffset) {
    int node = view.placement().node(verbs.logical(i), copy);
    Channel channel = channels.to(view, node);
    if (channel != null) {
      try {
        verbs.post(i, channel, address(i, copy), stagingOffset);
      } catch (FabricException e) {
        channels.setFailed(node, e);
      }
    }
  }

  private boolean flush() {
    boolean isWhole = channels.flush();
    for (int i = from; i < end; i++) {
      done[i] |= answered(i, posted[i]);
      posted[i] = 0;
    }
    for (int j = 0; j < atomics; j++) {
      int i = atomicOf[j];
      for (int left = answered(i, postedCas[j]); left != 0; left &= left - 1) {
        int copy = Integer.numberOfTrailingZeros(left);
        doneCas[j] |= resultOf(copy, j) == verbs.expected(i) ? 1 << copy : 0;
      }
      postedCas[j] = 0;
    }
    return isWhole;
  }

  private int answered(int i, int copies) {
    int answered = copies;
    for (int left = copies; left != 0; left &= left - 1) {
      int copy = Integer.numberOfTrailingZeros(left);
      if (channels.hasFailed(view.placement().node(verbs.logical(i), copy))) {
        answered &= ~(1 << copy);
      }
    }
    return answered;
  }
}
