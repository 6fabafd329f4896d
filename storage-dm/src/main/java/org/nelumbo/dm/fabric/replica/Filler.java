package org.nelumbo.dm.fabric.replica;

import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;

/**
 * Fills a memory node from the primaries, a window at a time, while work goes on. For the time of a
 * window its stripes are held: nobody writes into it meanwhile, and who writes there afterwards
 * writes to this node, too. The steward takes the steps.
 *
 * <p>Before a slot is copied the node puts memory behind all that is going to be there, and a
 * little more: a node whose file system is full says so before it costs anything. What is handed
 * out once the first window is there, it puts memory behind as the others do.
 */
final class Filler {
  private static final long RESERVED_BYTES = 1 << 20;

  private final Views views;
  private final StripeHold hold;
  private final NodeChannels channels;
  private final int windowBytes;
  private long copiedBytes;

  Filler(Views views, StripeHold hold, NodeChannels channels, int windowBytes) {
    this.views = views;
    this.hold = hold;
    this.channels = channels;
    this.windowBytes = windowBytes;
  }

  /** Another node is going to be filled: looks how much there is, which may become more. */
  void begin(View view, int node) {
    copiedBytes = 0;
    for (int slot = 0; slot < view.placement().slots(); slot++) {
      if (read(view, view.placement().logical(node, slot), 0, UsedBytes.LENGTH)) {
        view.filling(node).want(slot, used(view));
      }
    }
  }

  private long used(View view) {
    return UsedBytes.of(channels.staging(), 0, view.placement().slotBytes());
  }

  /** Bytes copied since {@link #begin}. */
  long copiedBytes() {
    return copiedBytes;
  }

  /** Copies one window, or finishes a slot. Failures are reported to the views. */
  void step(View view, int node) {
    Filling filling = view.filling(node);
    int slot = 0;
    while (filling.isFinished(slot)) {
      slot++;
    }
    int logical = view.placement().logical(node, slot);
    long from = filling.filled(slot);
    if (from == 0 && filling.reserved(slot) < reserve(view, filling.wanted(slot))) {
      reserveMore(view, node, filling, slot);
    } else if (from >= filling.wanted(slot)) {
      finish(view, filling, logical, slot);
    } else {
      int length = (int) Math.min(windowBytes, filling.wanted(slot) - from);
      if (hold.takeRange(logical, from, length, views::hasSuspects)) {
        try {
          copyWindow(view, node, filling, logical, slot, length);
        } finally {
          hold.give();
        }
      }
    }
  }

  private static long reserve(View view, long wanted) {
    return Math.min(wanted + RESERVED_BYTES, view.placement().slotBytes());
  }

  private void reserveMore(View view, int node, Filling filling, int slot) {
    long from = filling.reserved(slot);
    long to = Math.min(from + RESERVED_BYTES, reserve(view, filling.wanted(slot)));
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
      views.suspect(
          node, view.connection(node), new FabricException(node, FlushRounds.NO_ROOM_TEXT, null));
    } else if (isDone) {
      filling.reserve(slot, to);
    }
  }

  private void copyWindow(View view, int node, Filling filling, int logical, int slot, int length) {
    long from = filling.filled(slot);
    if (!read(view, logical, from, length)) {
      return;
    }
    if (from == 0 && used(view) > filling.reserved(slot)) {
      filling.want(slot, used(view));
    } else if (write(view, node, slot, length)) {
      filling.advance(slot, from + length);
      copiedBytes += length;
      views.health().countCopied(length);
    }
  }

  /**
   * What is used is filled, if nothing more has been handed out meanwhile; whoever hands out more
   * has to wait until this is decided.
   */
  private void finish(View view, Filling filling, int logical, int slot) {
    if (!hold.takeRange(logical, 0, UsedBytes.LENGTH, views::hasSuspects)) {
      return;
    }
    try {
      if (read(view, logical, 0, UsedBytes.LENGTH)) {
        filling.want(slot, used(view));
        if (filling.filled(slot) >= filling.wanted(slot)) {
          filling.finish(slot);
        }
      }
    } finally {
      hold.give();
    }
  }

  private boolean read(View view, int logical, long from, int length) {
    int node = view.primary(logical);
    long offset = view.placement().offset(logical, view.primaryCopy(logical), from);
    return run(view, node, channel -> channel.read(PoolAddress.of(0, offset), 0, length));
  }

  /** Writes the window, and for those who ask the node how far it is. */
  private boolean write(View view, int node, int slot, int length) {
    Filling filling = view.filling(node);
    long offset = view.placement().slotOffset(slot, filling.filled(slot));
    return run(
        view,
        node,
        channel -> {
          channel.write(PoolAddress.of(0, offset), 0, length);
          channel.writeLong(
              PoolAddress.of(0, NodeHeaderLayout.FILLED_OFFSET), filling.filledBytes() + length);
          channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.FILL_OFFSET), filling.wantedBytes());
        });
  }

  /** What is posted to a channel. */
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
    views.suspect(node, view.connection(node), channels.failure(node));
    return false;
  }
}
