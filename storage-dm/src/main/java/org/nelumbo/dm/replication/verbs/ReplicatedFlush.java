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
 * Executes the verbs of a flush on all copies; its caller holds the stripes of what they write.
 *
 * <p><b>One round.</b> Of each logical node one live copy, the primary, gets all verbs, the others
 * get all but the READs, each in posted order: so a copy has at any moment some first part of them.
 * A CAS or FAA does the same on each copy, and returns the same: until then they are equal, and
 * nobody else writes the word meanwhile. READs that may go to any copy go to whatever live copies
 * are on one memory node, if there are such.
 *
 * <p><b>Failures.</b> Whoever meets one waits for a view without the node. If it was to answer
 * READs, the copy that now does is asked again. Nothing else is done again: the other copies have
 * done it, and what a CAS or FAA has returned is known from any of them.
 *
 * <p><b>No room.</b> A FAA that hands out memory does not do the same everywhere if the file of one
 * copy cannot grow. Where another live copy has room, those that have none count as failed. Where
 * none has, the FAA has done nothing, and its user is told; a copy in the making that had room
 * counts as failed then, since it has done something.
 *
 * <p><b>Overtaken READs.</b> A READ beside a write is to see all that was done before by those who
 * miss the write. They miss it if they read at a new primary that does not have it yet, while the
 * old one has answered; the READ has then missed what they did. So it is asked again, of the new
 * one, now that all copies have the write.
 */
public final class ReplicatedFlush {
  /** More CAS and FAA of one flush make it two. */
  static final int ATOMICS_MAX = 64;

  /** Failure of a node that had no memory for what others handed out. */
  public static final String NO_ROOM_TEXT =
      "its file cannot grow: the file system that the file is on is full, or the file was"
          + " truncated; make room there, then the node is filled and used again";

  private final CurrentView currentView;
  private final ReadLease readLease;
  private final VerbList verbs;
  private final NodeChannels channels;
  private final int resultsPlace;
  private final int preferredNode;
  private final boolean[] pending;

  /** The connection over which the READs of a logical node went last, null if it has none. */
  private final NodeConnection[] readFrom;

  private boolean readsPreferred;

  /**
   * @param resultsPlace where in the channels' staging the results of CAS and FAA go: {@link
   *     #ATOMICS_MAX} words for each copy
   * @param preferredNode the memory node that is read from, where it has a live copy
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
   * @param anyCopy they are all READs, and any live copy will do
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

  /** READs need not be done again: no other compute node had the pool when they were done. */
  private void confirm() {
    View view = currentView.current();
    for (ReadLease.Failure failure; (failure = readLease.confirm(view)) != null; ) {
      int node = failure.node();
      currentView.awaitExclusion(node, view.connection(node), failure.why());
      view = currentView.current();
    }
  }

  /** Whether READs were answered by what is no primary any more: they become pending. */
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

  /** Returns whether no node has failed; a logical node of whose READs one did stays pending. */
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

  /** Whether the nodes that failed have done the writes is not known. */
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

  /** Returns whether all copies have done the same. */
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

  /** The nodes that failed have no part in the view that is in force after this. */
  private void awaitNext() {
    for (long left = channels.failed(); left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      currentView.awaitExclusion(node, channels.connection(node), channels.failure(node));
    }
  }

  /** Copies the results of CAS and FAA to their place in the staging buffer. */
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
            staging.set(ValueLayout.JAVA_LONG_UNALIGNED, verbs.place(i), old);
            break;
          }
        }
        atomic++;
      }
    }
  }
}
