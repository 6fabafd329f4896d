package org.nelumbo.dm.replication.verbs;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;

/**
 * A channel to logical nodes, which are replicated over memory nodes. Posted verbs are collected
 * until the flush. A flush acquires the stripes of the lines it writes, executes the verbs on all
 * copies ({@link ReplicatedFlush}), releases the stripes, and waits for concurrent writers whose
 * writes its READs may have seen. Allocates nothing once its buffers have grown.
 */
public final class ReplicatedChannel extends Channel {
  private final CurrentView currentView;
  private final long nodeBytes;
  private final int nodes;
  private final VerbList verbs = new VerbList();
  private final HeldStripes heldStripes;
  private final NodeChannels channels;
  private final ReplicatedFlush replicatedFlush;
  private final Sharing sharing;
  private final SharedFlush sharedFlush;
  private final Runnable onClose;
  private boolean closed;

  /**
   * Opens a channel.
   *
   * @param preferredNode memory node that serves the READs of a flush without writes, where it has
   *     a live copy
   * @param onClose runs once, when the channel is closed
   */
  public static ReplicatedChannel open(
      Environment environment,
      CurrentView currentView,
      HeldStripes heldStripes,
      Sharing sharing,
      int stagingBytes,
      int preferredNode,
      Runnable onClose) {
    FlushStaging staging =
        FlushStaging.allocate(stagingBytes, currentView.last().placement().copies());
    return new ReplicatedChannel(
        environment, currentView, heldStripes, sharing, staging, preferredNode, onClose);
  }

  private ReplicatedChannel(
      Environment environment,
      CurrentView currentView,
      HeldStripes heldStripes,
      Sharing sharing,
      FlushStaging staging,
      int preferredNode,
      Runnable onClose) {
    super(staging.whole().asSlice(0, staging.results()));
    this.sharing = sharing;
    this.currentView = currentView;
    this.heldStripes = heldStripes;
    Placement placement = currentView.last().placement();
    this.onClose = onClose;
    this.nodes = placement.logicals();
    this.nodeBytes = placement.slotBytes();
    this.channels = new NodeChannels(placement.nodes(), staging.whole());
    ReadLease readLease = new ReadLease(environment);
    this.replicatedFlush =
        new ReplicatedFlush(
            currentView, readLease, verbs, channels, nodes, staging.results(), preferredNode);
    this.sharedFlush =
        new SharedFlush(
            environment, currentView, sharing.flushGate(), readLease, verbs, channels, staging);
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    check(address, length);
    checkStaging(stagingOffset, length);
    verbs.addRead(address, stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    check(address, length);
    checkStaging(stagingOffset, length);
    verbs.addWrite(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    checkWord(address);
    verbs.addWriteWord(address, value);
  }

  @Override
  public void writeRelease(long address, long held, long value) {
    checkWord(address);
    verbs.addRelease(address, held, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    checkWord(address);
    checkStaging(stagingOffset, Long.BYTES);
    makeRoom();
    verbs.addCas(address, expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    checkWord(address);
    checkStaging(stagingOffset, Long.BYTES);
    makeRoom();
    verbs.addFaa(address, delta, stagingOffset);
  }

  private void makeRoom() {
    if (verbs.atomics() == ReplicatedFlush.ATOMICS_MAX) {
      flush();
    }
  }

  @Override
  public void flush() {
    if (verbs.count() == 0) {
      return;
    }
    boolean done = false;
    try {
      run();
      done = true;
    } finally {
      if (!done) {
        discard();
      }
    }
    verbs.clear();
  }

  @Override
  public void flushLogged() {
    runWithoutIntents(false);
  }

  @Override
  public void flushRaised() {
    runWithoutIntents(true);
  }

  private void runWithoutIntents(boolean backupsFirst) {
    if (!sharing.isTogether() || verbs.atomics() > 0 || verbs.writes() < verbs.count()) {
      flush();
      return;
    }
    boolean done = false;
    try {
      sharedFlush.runWithoutIntents(backupsFirst);
      done = true;
    } finally {
      if (!done) {
        currentView.loseByError();
        discard();
      }
    }
    verbs.clear();
  }

  private void run() {
    if (sharing.isShared()) {
      runShared();
      return;
    }
    boolean readsAlone = verbs.writes() == 0;
    if (!readsAlone) {
      heldStripes.lock(verbs);
    }
    runAlone(readsAlone);
  }

  private void runShared() {
    boolean done = false;
    try {
      sharedFlush.run(sharing.intents());
      done = true;
    } finally {
      if (!done && verbs.writes() > 0) {
        currentView.loseByError();
      }
    }
  }

  private void runAlone(boolean readsAlone) {
    assert heldStripes.covers(verbs) : "a verb writes where the channel holds no stripe";
    boolean done = false;
    try {
      replicatedFlush.run(readsAlone && !heldStripes.isAnyLocked(verbs));
      done = true;
    } finally {
      if (!done && !readsAlone) {
        // Before the stripes are released, so that no other flush builds on data that only some
        // copies have.
        currentView.loseByError();
      }
      heldStripes.unlock();
    }
    if (verbs.writes() < verbs.count()) {
      heldStripes.awaitUnlocked(verbs);
      currentView.current();
    }
  }

  @Override
  public boolean isHeldUp() {
    return currentView.isHeldUp();
  }

  @Override
  public void discard() {
    verbs.clear();
    channels.discard();
  }

  private void checkWord(long address) {
    checkAligned(address);
    check(address, Long.BYTES);
  }

  private void check(long address, int length) {
    long node = address >>> PoolAddress.OFFSET_BITS;
    if (closed || node >= nodes || length < 0 || PoolAddress.offset(address) + length > nodeBytes) {
      throw outside(address, length);
    }
  }

  private RuntimeException outside(long address, int length) {
    if (closed) {
      return new IllegalStateException("the channel is closed");
    }
    return new OutsidePoolException(address, length, nodes);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      channels.close();
      onClose.run();
    }
  }
}
