package org.nelumbo.dm.replication.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.View;

/**
 * Executes the verbs of a flush on all copies while the pool is exclusive. The caller holds the
 * stripes of the lines that the verbs write.
 *
 * <p><b>One round.</b> The primary copy of each logical node receives all verbs, the other live
 * copies receive all but the READs, each in posted order. So a copy has executed some prefix of the
 * verbs at any moment. A CAS or FAA has the same effect and result at each copy, because the copies
 * are equal before it and no other flush writes the word meanwhile. READs that may use any copy go
 * to the live copies on one memory node, as far as it has them.
 *
 * <p><b>Failures.</b> A flush that meets a failure waits for a view without the failed node. If
 * READs were sent to that node, they are repeated at the copy that replaces it. No other verb is
 * repeated: the other copies have executed it, and any of them has returned the result of a CAS or
 * FAA.
 *
 * <p><b>No room.</b> An FAA that allocates memory has no effect at a copy whose file cannot grow.
 * If another live copy has room, the copies without room count as failed. If no live copy has room,
 * the FAA has had no effect and its caller receives {@link SuperblockLayout#NO_ROOM}. A copy being
 * filled that had room then counts as failed, because it has executed the FAA.
 *
 * <p><b>Overtaken READs.</b> A READ in a flush with writes must see the effects of every flush that
 * does not see these writes. Such a flush may have read at a new primary that did not have the
 * writes yet, after the old primary had answered the READ. The READ has then missed the effects of
 * that flush. So it is repeated at the new primary, when all copies have the writes.
 */
public final class ReplicatedFlush {
  /** Maximum number of CAS and FAA in one flush; more are split into several flushes. */
  static final int ATOMICS_MAX = 64;

  /**
   * Failure message of a node that had no memory for an allocation that other copies have executed.
   */
  public static final String NO_ROOM_TEXT =
      "its file cannot grow: its file system is full, or the file was truncated; free"
          + " space there, then the node is filled and used again";

  private final CurrentView currentView;
  private final ReadLease readLease;
  private final VerbList verbs;
  private final NodeChannels channels;
  private final int resultsPlace;
  private final int preferredNode;
  private final boolean[] pending;

  /** Connection to which the READs of each logical node were sent last, or null. */
  private final NodeConnection[] readFrom;

  private boolean readsPreferred;

  /**
   * @param resultsPlace offset of the results of CAS and FAA in the staging buffer of the channels:
   *     {@link #ATOMICS_MAX} words for each copy
   * @param preferredNode memory node to read from, where it has a live copy
   */
  ReplicatedFlush(
      CurrentView currentView,
      ReadLease readLease,
      VerbList verbs,
      NodeChannels channels,
      int logicals,
      int resultsPlace,
      int preferredNode) {
    this.currentView = currentView;
    this.readLease = readLease;
    this.verbs = verbs;
    this.channels = channels;
    this.resultsPlace = resultsPlace;
    this.preferredNode = preferredNode;
    pending = new boolean[logicals];
    readFrom = new NodeConnection[logicals];
  }

  /**
   * Executes the verbs.
   *
   * @param anyCopy true if all verbs are READs that any live copy may serve
   * @throws FabricException if the pool is lost
   */
  void run(boolean anyCopy) {
    readsPreferred = anyCopy;
    Arrays.fill(pending, false);
    Arrays.fill(readFrom, null);
    for (int i = 0; i < verbs.count(); i++) {
      pending[verbs.logical(i)] = true;
    }
    View view = currentView.current();
    boolean whole = attempt(view, false);
    deliver(view);
    while (!whole || verbs.writes() > 0 && currentView.last() != view && isOvertaken()) {
      awaitNext();
      whole = attempt(currentView.current(), true);
    }
    if (verbs.writes() == 0) {
      confirm();
    }
  }

  /**
   * The READs need not be repeated if the view has changed, because no other compute node had the
   * pool when they were executed.
   */
  private void confirm() {
    View view = currentView.current();
    for (ReadLease.Failure failure; (failure = readLease.confirm(view)) != null; ) {
      int node = failure.node();
      currentView.awaitExclusion(node, view.connection(node), failure.why());
      view = currentView.current();
    }
  }

  /**
   * Marks the READs of each logical node as pending if the copy that answered them is no longer the
   * primary. Returns true if there are any.
   */
  private boolean isOvertaken() {
    View now = currentView.last();
    boolean overtaken = false;
    for (int logical = 0; logical < pending.length; logical++) {
      pending[logical] =
          readFrom[logical] != null && readFrom[logical] != now.connection(now.primary(logical));
      overtaken |= pending[logical];
    }
    return overtaken;
  }

  /**
   * Returns true if no node has failed. A logical node stays pending if the node that was to serve
   * its READs has failed.
   */
  private boolean attempt(View view, boolean readsAlone) {
    channels.begin();
    int atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      int logical = verbs.logical(i);
      if (pending[logical]) {
        if (verbs.isRead(i)) {
          int copy = copyToRead(view, logical);
          readFrom[logical] = view.connection(view.placement().node(logical, copy));
          post(view, i, logical, copy, 0);
        } else if (!readsAlone) {
          postToAll(view, i, logical, atomic);
        }
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    boolean whole = channels.flush();
    if (!readsAlone && verbs.allocations() > 0) {
      whole &= resolveAllocations(view);
    }
    if (!readsAlone && !whole) {
      noteMissed(view);
    }
    for (int logical = 0; logical < pending.length; logical++) {
      if (pending[logical]) {
        int node = view.placement().node(logical, copyToRead(view, logical));
        pending[logical] = channels.hasFailed(node);
      }
    }
    return whole;
  }

  /** Failed nodes may have executed the writes or not. */
  private void noteMissed(View view) {
    for (int i = 0; i < verbs.count(); i++) {
      for (int copy = 0; !verbs.isRead(i) && copy < view.placement().copies(); copy++) {
        if (channels.hasFailed(view.placement().node(verbs.logical(i), copy))) {
          noteMissed(view, i, copy);
        }
      }
    }
  }

  private void noteMissed(View view, int i, int copy) {
    int logical = verbs.logical(i);
    currentView
        .missed(view.placement().node(logical, copy))
        .mark(view.placement().slot(logical, copy), verbs.offset(i), verbs.length(i));
  }

  private boolean resolveAllocations(View view) {
    boolean same = true;
    int atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      if (verbs.isAllocation(i)) {
        same &= resolveAllocation(view, i, atomic);
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    return same;
  }

  private boolean resolveAllocation(View view, int i, int atomic) {
    boolean isRoom = false;
    boolean isNoRoom = false;
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (view.isLive(view.placement().node(verbs.logical(i), copy)) && hasDone(view, i, copy)) {
        isRoom |= hadRoom(copy, atomic);
        isNoRoom |= !hadRoom(copy, atomic);
      }
    }
    boolean same = true;
    boolean isKnown = isRoom || isNoRoom;
    for (int copy = 0; isKnown && copy < view.placement().copies(); copy++) {
      if (hasDone(view, i, copy) && hadRoom(copy, atomic) != isRoom) {
        int node = view.placement().node(verbs.logical(i), copy);
        channels.setFailed(node, new FabricException(node, NO_ROOM_TEXT, null));
        same = false;
      }
    }
    return same;
  }

  private boolean hasDone(View view, int i, int copy) {
    return view.writesTo(verbs.logical(i), copy, verbs.offset(i))
        && !channels.hasFailed(view.placement().node(verbs.logical(i), copy));
  }

  private boolean hadRoom(int copy, int atomic) {
    return channels.staging().get(ValueLayout.JAVA_LONG, result(copy, atomic))
        != SuperblockLayout.NO_ROOM;
  }

  private int copyToRead(View view, int logical) {
    return readsPreferred ? view.copyOn(preferredNode, logical) : view.primaryCopy(logical);
  }

  private void postToAll(View view, int i, int logical, int atomic) {
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      if (view.writesTo(logical, copy, verbs.offset(i))) {
        post(view, i, logical, copy, atomic);
      } else {
        noteMissed(view, i, copy);
      }
    }
  }

  private void post(View view, int i, int logical, int copy, int atomic) {
    int node = view.placement().node(logical, copy);
    Channel channel = channels.to(view, node);
    if (channel != null) {
      long address = view.placement().offset(logical, copy, verbs.offset(i));
      try {
        verbs.post(i, channel, address, result(copy, atomic));
      } catch (FabricException e) {
        channels.setFailed(node, e);
      }
    }
  }

  private int result(int copy, int atomic) {
    return resultsPlace + (copy * ATOMICS_MAX + atomic) * Long.BYTES;
  }

  private void awaitNext() {
    for (long left = channels.failed(); left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      currentView.awaitExclusion(node, channels.connection(node), channels.failure(node));
    }
  }

  private void deliver(View view) {
    if (verbs.atomics() == 0) {
      return;
    }
    MemorySegment staging = channels.staging();
    int atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      if (verbs.isAtomic(i)) {
        for (int copy = 0; copy < view.placement().copies(); copy++) {
          if (hasDone(view, i, copy)) {
            long old = staging.get(ValueLayout.JAVA_LONG, result(copy, atomic));
            staging.set(ValueLayout.JAVA_LONG_UNALIGNED, verbs.stagingOffset(i), old);
            break;
          }
        }
        atomic++;
      }
    }
  }
}
