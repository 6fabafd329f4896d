package org.nelumbo.dm.fabric.replica;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.NodeFabric;

/**
 * Does the verbs of a flush on all copies; its caller holds the stripes of what they write.
 *
 * <p><b>First round.</b> Of each logical node the first live copy, the primary, gets all verbs; the
 * other copies get the WRITEs up to the first CAS or FAA. Without CAS and FAA that is all. READs
 * that may go to any copy go to whatever live copies are on one memory node, if there are such.
 *
 * <p><b>Second round.</b> The other copies get the rest: what each CAS and FAA has done, and the
 * WRITEs behind it. So each copy takes every logical node's writes in posted order, and at any
 * moment has some first part of them.
 *
 * <p><b>Failures.</b> Whoever meets one waits for a view without the node. If the node was the
 * primary in the first round, the logical node's verbs are done anew, at the new primary: WRITEs
 * are repeated; a CAS or FAA finds what the old one found, since all before it was on all copies
 * and nobody else may touch the word meanwhile. Any other failure needs nothing: the other copies
 * have been written.
 */
final class FlushRounds {
  private static final byte IDLE = 0;
  private static final byte FIRST = 1;
  private static final byte SECOND = 2;

  private final Views views;
  private final VerbList verbs;
  private final NodeChannels channels;
  private final int resultsPlace;
  private final int home;
  private final byte[] states;
  private final boolean[] hasAtomics;
  private final NodeFabric[] executors;
  private boolean atHome;
  private int atomic;

  /**
   * @param resultsPlace where in the channels' staging the results of CAS and FAA go, one by one
   * @param home the memory node that is read from, where it has a live copy
   */
  FlushRounds(
      Views views, VerbList verbs, NodeChannels channels, int nodes, int resultsPlace, int home) {
    this.views = views;
    this.verbs = verbs;
    this.channels = channels;
    this.resultsPlace = resultsPlace;
    this.home = home;
    states = new byte[nodes];
    hasAtomics = new boolean[nodes];
    executors = new NodeFabric[nodes];
  }

  /**
   * Does them.
   *
   * @param anyCopy they are all READs, and any live copy will do
   * @throws FabricException if the pool is lost
   */
  void run(boolean anyCopy) {
    atHome = anyCopy;
    for (int i = 0; i < verbs.count(); i++) {
      states[verbs.logical(i)] = FIRST;
    }
    while (isAny(FIRST)) {
      firstRound(views.current());
    }
    if (isAny(SECOND)) {
      secondRound(views.current());
    }
    deliver();
  }

  /** Forgets a run that has failed. */
  void reset() {
    for (int logical = 0; logical < states.length; logical++) {
      finish(logical);
    }
  }

  private void finish(int logical) {
    states[logical] = IDLE;
    hasAtomics[logical] = false;
    executors[logical] = null;
  }

  private boolean isAny(byte state) {
    for (byte each : states) {
      if (each == state) {
        return true;
      }
    }
    return false;
  }

  private void firstRound(View view) {
    channels.begin();
    clearAtomics(FIRST);
    atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      int logical = verbs.logical(i);
      if (states[logical] == FIRST) {
        postFirst(view, i, logical);
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    boolean whole = channels.flush();
    for (int logical = 0; logical < states.length; logical++) {
      int node = view.placement().node(logical, firstCopy(view, logical));
      if (states[logical] == FIRST && !channels.hasFailed(node)) {
        executors[logical] = view.connection(node);
        if (hasAtomics[logical]) {
          states[logical] = SECOND;
        } else {
          finish(logical);
        }
      }
    }
    if (!whole) {
      awaitNext();
    }
  }

  /** The copy that gets all verbs. */
  private int firstCopy(View view, int logical) {
    return atHome ? view.copyOn(home, logical) : view.primaryCopy(logical);
  }

  private void postFirst(View view, int i, int logical) {
    hasAtomics[logical] |= verbs.isAtomic(i);
    int first = firstCopy(view, logical);
    post(view, i, logical, first);
    if (!verbs.isRead(i) && !hasAtomics[logical]) {
      for (int copy = 0; copy < view.placement().copies(); copy++) {
        if (copy != first && view.writesTo(logical, copy, verbs.offset(i))) {
          post(view, i, logical, copy);
        }
      }
    }
  }

  private void post(View view, int i, int logical, int copy) {
    int node = view.placement().node(logical, copy);
    Channel channel = channels.to(view, node);
    if (channel != null) {
      try {
        verbs.post(i, channel, view.placement().offset(copy, verbs.offset(i)), result(atomic));
      } catch (FabricException e) {
        channels.setFailed(node, e);
      }
    }
  }

  private int result(int index) {
    return resultsPlace + index * Long.BYTES;
  }

  private void secondRound(View view) {
    channels.begin();
    clearAtomics(SECOND);
    atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      int logical = verbs.logical(i);
      if (states[logical] == SECOND) {
        hasAtomics[logical] |= verbs.isAtomic(i);
        if (hasAtomics[logical]) {
          postRest(view, i, logical);
        }
      }
      atomic += verbs.isAtomic(i) ? 1 : 0;
    }
    boolean whole = channels.flush();
    for (int logical = 0; logical < states.length; logical++) {
      if (states[logical] == SECOND) {
        finish(logical);
      }
    }
    if (!whole) {
      awaitNext();
    }
  }

  private void clearAtomics(byte state) {
    for (int logical = 0; logical < states.length; logical++) {
      if (states[logical] == state) {
        hasAtomics[logical] = false;
      }
    }
  }

  private void postRest(View view, int i, int logical) {
    for (int copy = 0; copy < view.placement().copies(); copy++) {
      int node = view.placement().node(logical, copy);
      if (view.writesTo(logical, copy, verbs.offset(i))
          && view.connection(node) != executors[logical]) {
        postEffect(view, i, node, copy);
      }
    }
  }

  private void postEffect(View view, int i, int node, int copy) {
    Channel channel = channels.to(view, node);
    if (channel != null) {
      long old = verbs.isAtomic(i) ? resultOf(atomic) : 0;
      try {
        verbs.postEffect(i, channel, view.placement().offset(copy, verbs.offset(i)), old);
      } catch (FabricException e) {
        channels.setFailed(node, e);
      }
    }
  }

  private long resultOf(int index) {
    return channels.staging().get(ValueLayout.JAVA_LONG, result(index));
  }

  /** The nodes that failed have no part in the view that is in force after this. */
  private void awaitNext() {
    for (long left = channels.failed(); left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      views.awaitWithout(node, channels.connection(node), channels.failure(node));
    }
  }

  /** The results of CAS and FAA go where they were wanted. */
  private void deliver() {
    if (verbs.atomics() == 0) {
      return;
    }
    atomic = 0;
    for (int i = 0; i < verbs.count(); i++) {
      if (verbs.isAtomic(i)) {
        channels.staging().set(ValueLayout.JAVA_LONG_UNALIGNED, verbs.place(i), resultOf(atomic++));
      }
    }
  }
}
