package org.nelumbo.dm.fabric.replica;

import java.util.Arrays;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.PoolAddress;

/**
 * Fills a memory node from the primaries, a window at a time, while work goes on. For the time of a
 * window its stripes are held: nobody writes into it meanwhile, and who writes there afterwards
 * writes to this node, too. The steward takes the steps.
 */
final class Filler {
  private final Views views;
  private final StripeHold hold;
  private final NodeChannels channels;
  private final int windowBytes;

  /** By slot, how much there is to fill, as far as is known. */
  private final long[] used;

  private long copiedBytes;

  Filler(Views views, StripeHold hold, NodeChannels channels, int windowBytes, int copies) {
    this.views = views;
    this.hold = hold;
    this.channels = channels;
    this.windowBytes = windowBytes;
    this.used = new long[copies];
  }

  /** Another node is going to be filled. */
  void begin() {
    Arrays.fill(used, 0);
    copiedBytes = 0;
  }

  /** Bytes copied since {@link #begin}. */
  long copiedBytes() {
    return copiedBytes;
  }

  /** Copies one window, or finishes a slot. Failures are reported to the views. */
  void step(View view, int node) {
    Filling filling = view.filling(node);
    int copy = 0;
    while (filling.isFinished(copy)) {
      copy++;
    }
    int logical = view.placement().logical(node, copy);
    long from = filling.filled(copy);
    if (from >= used[copy]) {
      finish(view, filling, logical, copy);
    } else {
      int length = (int) Math.min(windowBytes, used[copy] - from);
      if (hold.takeRange(logical, from, length, views::hasSuspects)) {
        try {
          copyWindow(view, node, filling, logical, copy, length);
        } finally {
          hold.give();
        }
      }
    }
  }

  private void copyWindow(View view, int node, Filling filling, int logical, int copy, int length) {
    long from = filling.filled(copy);
    if (read(view, logical, from, length) && write(view, node, copy, from, length)) {
      filling.advance(copy, from + length);
      copiedBytes += length;
    }
  }

  /**
   * What is used is filled, if nothing more has been handed out meanwhile; whoever hands out more
   * has to wait until this is decided.
   */
  private void finish(View view, Filling filling, int logical, int copy) {
    if (!hold.takeRange(logical, 0, UsedBytes.LENGTH, views::hasSuspects)) {
      return;
    }
    try {
      if (read(view, logical, 0, UsedBytes.LENGTH)) {
        used[copy] = UsedBytes.of(channels.staging(), 0, view.placement().slotBytes());
        if (filling.filled(copy) >= used[copy]) {
          filling.finish(copy);
        }
      }
    } finally {
      hold.give();
    }
  }

  private boolean read(View view, int logical, long from, int length) {
    int node = view.primary(logical);
    long offset = view.placement().offset(view.primaryCopy(logical), from);
    return run(view, node, channel -> channel.read(PoolAddress.of(0, offset), 0, length));
  }

  private boolean write(View view, int node, int copy, long from, int length) {
    long offset = view.placement().offset(copy, from);
    return run(view, node, channel -> channel.write(PoolAddress.of(0, offset), 0, length));
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
