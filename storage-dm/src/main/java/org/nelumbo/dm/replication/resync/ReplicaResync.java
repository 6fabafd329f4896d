package org.nelumbo.dm.replication.resync;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.verbs.HeldStripes;
import org.nelumbo.dm.replication.verbs.ReplicatedFlush;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HighWaterMark;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Resynchronises a memory node: copies everything from the primaries, a window at a time, while
 * work goes on. For the time of a window its stripes are locked: nobody writes into it meanwhile,
 * and whoever writes there afterwards writes to this node, too. The view changer takes the steps.
 *
 * <p>Before a slot is copied the node puts memory behind all that is going to be there, and a
 * little more: a node whose file system is full says so before it costs anything. What is handed
 * out once the first window is there, it puts memory behind as the others do.
 */
public final class ReplicaResync {
  private static final long RESERVED_BYTES = 1 << 20;

  private final CurrentView currentView;
  private final HeldStripes heldStripes;
  private final NodeChannels channels;
  private final int windowBytes;
  private long copiedBytes;

  public ReplicaResync(
      CurrentView currentView, HeldStripes heldStripes, NodeChannels channels, int windowBytes) {
    this.currentView = currentView;
    this.heldStripes = heldStripes;
    this.channels = channels;
    this.windowBytes = windowBytes;
  }

  /** Begins with another node: reads how much there is to copy, which may become more. */
  public void begin(View view, int node) {
    copiedBytes = 0;
    for (int slot = 0; slot < view.placement().slots(); slot++) {
      if (read(view, view.placement().logical(node, slot), 0, HighWaterMark.LENGTH)) {
        view.resync(node).want(slot, used(view));
      }
    }
  }

  private long used(View view) {
    return HighWaterMark.of(channels.staging(), 0, view.placement().slotBytes());
  }

  /** Bytes copied since {@link #begin}. */
  public long copiedBytes() {
    return copiedBytes;
  }

  /** Copies one window, or finishes a slot. Failures are reported to the current view. */
  public void step(View view, int node) {
    ResyncProgress resyncProgress = view.resync(node);
    int slot = 0;
    while (resyncProgress.isFinished(slot)) {
      slot++;
    }
    int logical = view.placement().logical(node, slot);
    long from = resyncProgress.filled(slot);
    if (from == 0 && resyncProgress.reserved(slot) < reserve(view, resyncProgress.wanted(slot))) {
      reserveMore(view, node, resyncProgress, slot);
    } else if (from >= resyncProgress.wanted(slot)) {
      finish(view, resyncProgress, logical, slot);
    } else {
      int length = (int) Math.min(windowBytes, resyncProgress.wanted(slot) - from);
      if (heldStripes.tryLockRange(logical, from, length, currentView::hasSuspects)) {
        try {
          copyWindow(view, node, resyncProgress, logical, slot, length);
        } finally {
          heldStripes.unlock();
        }
      }
    }
  }

  private static long reserve(View view, long wanted) {
    return Math.min(wanted + RESERVED_BYTES, view.placement().slotBytes());
  }

  private void reserveMore(View view, int node, ResyncProgress resyncProgress, int slot) {
    long from = resyncProgress.reserved(slot);
    long to = Math.min(from + RESERVED_BYTES, reserve(view, resyncProgress.wanted(slot)));
    long reserveWord = PoolAddress.of(0, NodeHeaderLayout.RESERVE_OFFSET);
    boolean isDone =
        run(
            view,
            node,
            channel -> {
              channel.writeLong(reserveWord, view.placement().slotOffset(slot, from));
              channel.fetchAndAdd(reserveWord, to - from, 0);
            });
    if (isDone && channels.staging().get(ValueLayout.JAVA_LONG, 0) == SuperblockLayout.NO_ROOM) {
      currentView.suspect(
          node,
          view.connection(node),
          new FabricException(node, ReplicatedFlush.NO_ROOM_TEXT, null));
    } else if (isDone) {
      resyncProgress.reserve(slot, to);
    }
  }

  private void copyWindow(
      View view, int node, ResyncProgress resyncProgress, int logical, int slot, int length) {
    long from = resyncProgress.filled(slot);
    if (!read(view, logical, from, length)) {
      return;
    }
    if (from == 0 && used(view) > resyncProgress.reserved(slot)) {
      resyncProgress.want(slot, used(view));
    } else if (write(view, node, slot, length)) {
      resyncProgress.advance(slot, from + length);
      copiedBytes += length;
      currentView.health().countCopied(length);
    }
  }

  /**
   * Finishes a slot if nothing more has been handed out meanwhile; whoever hands out more has to
   * wait until this is decided.
   */
  private void finish(View view, ResyncProgress resyncProgress, int logical, int slot) {
    if (!heldStripes.tryLockRange(logical, 0, HighWaterMark.LENGTH, currentView::hasSuspects)) {
      return;
    }
    try {
      if (read(view, logical, 0, HighWaterMark.LENGTH)) {
        resyncProgress.want(slot, used(view));
        if (resyncProgress.filled(slot) >= resyncProgress.wanted(slot)) {
          resyncProgress.finish(slot);
        }
      }
    } finally {
      heldStripes.unlock();
    }
  }

  private boolean read(View view, int logical, long from, int length) {
    int node = view.primary(logical);
    long offset = view.placement().offset(logical, view.primaryCopy(logical), from);
    return run(view, node, channel -> channel.read(PoolAddress.of(0, offset), 0, length));
  }

  /** Writes the window, and for those who ask the node how far it is. */
  private boolean write(View view, int node, int slot, int length) {
    ResyncProgress resyncProgress = view.resync(node);
    long offset = view.placement().slotOffset(slot, resyncProgress.filled(slot));
    return run(
        view,
        node,
        channel -> {
          channel.write(PoolAddress.of(0, offset), 0, length);
          channel.writeLong(
              PoolAddress.of(0, NodeHeaderLayout.FILLED_OFFSET),
              resyncProgress.filledBytes() + length);
          channel.writeLong(
              PoolAddress.of(0, NodeHeaderLayout.FILL_OFFSET), resyncProgress.wantedBytes());
        });
  }

  /** Posts verbs to a channel. */
  private interface Verbs {
    void post(Channel channel);
  }

  private boolean run(View view, int node, Verbs verbs) {
    channels.begin();
    Channel channel = channels.to(view, node);
    try {
      if (channel != null) {
        verbs.post(channel);
      }
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
    if (channels.flush()) {
      return true;
    }
    currentView.suspect(node, view.connection(node), channels.failure(node));
    return false;
  }
}
