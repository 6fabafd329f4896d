package org.nelumbo.simulation.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.WindowDigest;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A channel of the simulated fabric: one queue pair to each memory node. A verb leaves when it is
 * posted. It takes effect at its node at a virtual time given by {@link VerbTimes}, after the
 * earlier verbs of its queue pair. A flush waits for the last reply.
 */
public final class SimChannel extends Channel implements SimVerb.QueuePair {
  private final SimFabric fabric;
  private final SimAttachment simAttachment;
  private final SimWorld world;
  private final int id;
  private final VerbTimes times;
  private SimVerb[] verbs = new SimVerb[16];
  private int posted;
  private int sent;

  /** Verbs of the frame to each node that have not landed. */
  private final int[] frameLeft;

  /** Nodes at which the frame has begun to land. */
  private final boolean[] frameBegun;

  private boolean closed;
  private SimTask owner;

  SimChannel(SimAttachment simAttachment, int id, MemorySegment staging) {
    super(staging);
    this.fabric = simAttachment.sim();
    this.simAttachment = simAttachment;
    this.world = fabric.world();
    this.id = id;
    this.frameLeft = new int[fabric.nodeCount()];
    this.frameBegun = new boolean[fabric.nodeCount()];
    this.times =
        new VerbTimes(
            world,
            fabric.model(),
            fabric.random(),
            fabric::faults,
            fabric.clientCards(),
            fabric.nodeCount());
  }

  /** Returns the last task that used the channel, or null if there was none. */
  public SimTask owner() {
    return owner;
  }

  @Override
  public boolean isWhole() {
    return fabric.model().wholeWrites();
  }

  @Override
  public void moved(SimVerb verb) {
    times.moved(verb);
  }

  /** Returns true if a verb that arrives at a node now takes effect there. */
  @Override
  public boolean reaches(SimMemoryNode node) {
    if (landsWholly(node.id()) && !node.isStopped()) {
      return true;
    }
    if (!node.serves(simAttachment.epoch())
        || simAttachment.isFenced(node.id())
        || simAttachment.isBroken(id, node.id())) {
      return false;
    }
    if (!simAttachment.carriesRequests()) {
      breakLink(node.id());
      return false;
    }
    node.heard(world.now());
    frameBegun[node.id()] = true;
    return true;
  }

  @Override
  public boolean landsWholly(int node) {
    return fabric.model().wholeFrames() && frameBegun[node] && frameLeft[node] > 0;
  }

  /** Discards the frame to a failed node, even if it has begun to land. */
  void loseFrame(int node) {
    frameBegun[node] = false;
  }

  SimAttachment attachment() {
    return simAttachment;
  }

  @Override
  public boolean isAnswered() {
    return simAttachment.carriesReplies();
  }

  /** Breaks the connection of this channel to a node, for all channels that share it. */
  @Override
  public void breakLink(int node) {
    simAttachment.breakLink(id, node);
  }

  /** Returns the verbs of the current flush, in the order of posting. */
  List<SimVerb> posted() {
    return Arrays.asList(verbs).subList(0, posted);
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    checkStaging(stagingOffset, length);
    post(SimVerb.READ, address, stagingOffset, length, 0, 0);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    checkStaging(stagingOffset, length);
    post(SimVerb.WRITE, address, stagingOffset, length, 0, 0);
  }

  @Override
  public void writeLong(long address, long value) {
    checkAligned(address);
    post(SimVerb.WRITE_LONG, address, 0, Long.BYTES, value, 0);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    post(SimVerb.CAS, address, stagingOffset, Long.BYTES, replacement, expected);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    post(SimVerb.FAA, address, stagingOffset, Long.BYTES, delta, 0);
  }

  @Override
  public boolean canDigest() {
    return true;
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    checkStaging(stagingOffset, WindowDigest.LENGTH);
    post(SimVerb.DIGEST, address, stagingOffset, length, keyFirst, keySecond);
  }

  private void post(
      int kind, long address, int stagingOffset, int length, long operand, long expected) {
    if (closed) {
      throw new IllegalStateException("the channel is closed");
    }
    SimMemoryNode node = fabric.locate(address, length);
    SimTask task = world.current();
    owner = task;
    if (task != null) {
      world.checkAlive();
      fabric.faults().posting(task);
      world.checkAlive();
    }
    SimVerb verb = nextVerb();
    verb.task = task;
    verb.node = node;
    verb.kind = kind;
    verb.address = address;
    verb.offset = PoolAddress.offset(address);
    verb.stagingOffset = stagingOffset;
    verb.length = length;
    verb.operand = operand;
    verb.expected = expected;
    verb.content = kind == SimVerb.DIGEST ? MemorySegment.ofArray(new byte[length]) : null;
    verb.lost = false;
    verb.unanswered = false;
    verb.breaks = false;
    verb.begun = false;
    if (world.trace().isText() || fabric.isObserved()) {
      verb.site = CallSite.ofPoster();
    }
    if (world.trace().isText()) {
      MemorySegment written =
          kind == SimVerb.WRITE ? staging().asSlice(stagingOffset, length) : null;
      world.trace().map().learn(verb.site.type(), verb.site.method(), address, length, written);
    }
    verb.partsLeft = 0;
    fabric.count(verb);
    if (!fabric.model().wholeFrames()) {
      send();
    }
  }

  private void send() {
    if (sent == 0) {
      times.begin();
      Arrays.fill(frameLeft, 0);
      Arrays.fill(frameBegun, false);
    }
    for (; sent < posted; sent++) {
      SimVerb verb = verbs[sent];
      frameLeft[verb.node.id()]++;
      times.send(verb);
      if (verb.task != null) {
        fabric.faults().leaves(verb.task, fabric.name(), verb.name(), verb.address, verb.length);
      }
    }
  }

  @Override
  public void start() {
    if (fabric.model().wholeFrames()) {
      send();
    }
  }

  private SimVerb nextVerb() {
    if (posted == verbs.length) {
      verbs = Arrays.copyOf(verbs, 2 * posted);
    }
    SimVerb verb = verbs[posted];
    if (verb == null || verb.isQueued()) {
      verb = new SimVerb(this);
      verbs[posted] = verb;
    }
    posted++;
    return verb;
  }

  @Override
  public void flush() {
    if (posted == 0) {
      return;
    }
    SimTask task = world.current();
    if (task != null) {
      world.checkAlive();
      fabric.faults().flushing(task);
      world.checkAlive();
    }
    send();
    times.await();
    if (task != null) {
      fabric.faults().flushed(task);
      world.checkAlive();
    }
    fabric.countFlush();
    int lostAt = lostAt();
    posted = 0;
    sent = 0;
    if (lostAt >= 0) {
      failFlush(lostAt);
    }
    world.trace().event(world.now(), task == null ? -1 : task.id(), 16, id, 0);
    if (world.trace().isText()) {
      world.trace().line(world.now(), VerbTrace.taskName(task), "flushed");
    }
  }

  private int lostAt() {
    for (int i = 0; i < posted; i++) {
      if (verbs[i].lost || verbs[i].unanswered) {
        return verbs[i].node.id();
      }
    }
    return -1;
  }

  private void failFlush(int node) {
    world.sleepUntil(world.now() + fabric.model().timeout());
    SimTask task = world.current();
    world
        .trace()
        .note(
            world.now(),
            task == null ? -1 : task.id(),
            VerbTrace.taskName(task),
            "flush failed node=" + node);
    throw new FabricException(
        node, "the memory node does not respond", null, attachment().isRevoked(node));
  }

  /** Records the effect of a part of a verb; {@code value} represents the bytes it moved. */
  @Override
  public void landed(SimVerb verb, int from, int to, long value) {
    int task = verb.task == null ? -1 : verb.task.id();
    world.trace().event(world.now(), task, verb.kind, verb.address + from, value ^ to);
    if (world.trace().isText()) {
      VerbTrace.line(world, verb, from, to, value);
    }
    if (verb.partsLeft == 0) {
      frameLeft[verb.node.id()]--;
    }
    if (verb.partsLeft == 0 && verb.task != null) {
      fabric.faults().landed(verb.task);
    }
  }

  /** Delivers the old value of a word. */
  @Override
  public void deliver(int stagingOffset, long value) {
    staging().set(ValueLayout.JAVA_LONG_UNALIGNED, stagingOffset, value);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      fabric.closed(this);
    }
  }
}
