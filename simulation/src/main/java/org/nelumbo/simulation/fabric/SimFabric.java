package org.nelumbo.simulation.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The memory nodes of a world and their network. Compute nodes attach to it, see {@link #attach};
 * {@link #release} returns its memory.
 */
public final class SimFabric implements SimPool {
  private static final long FRAME_NANOS = 1_000;

  private final SimWorld world;
  private final FabricModel model;
  private final SimMemory memory;
  private final String name;
  private final SimRandom random;
  private final SimMemoryNode[] nodes;
  private final List<SimChannel> channels = new ArrayList<>();
  private final List<SimAttachment> attachments = new ArrayList<>();
  private final InFlightVerbs inFlightVerbs;
  private final ClientCards clientCards;
  private VerbObserver observer;
  private FaultHooks faults = FaultHooks.NONE;
  private int lastChannel;
  private long lastEpoch;
  private long verbs;
  private long atomics;
  private long flushes;

  public SimFabric(SimWorld world, FabricModel model, int nodeCount, long nodeBytes) {
    this(world, model, nodeCount, nodeBytes, new SimMemory());
  }

  /** Creates a fabric with memory that earlier worlds on this thread have used. */
  public SimFabric(
      SimWorld world, FabricModel model, int nodeCount, long nodeBytes, SimMemory memory) {
    this(world, model, nodeCount, nodeBytes, memory, "fabric");
  }

  /**
   * Creates one of several fabrics of a world.
   *
   * @param name fabrics with different names draw the times of their verbs independently
   */
  public SimFabric(
      SimWorld world,
      FabricModel model,
      int nodeCount,
      long nodeBytes,
      SimMemory memory,
      String name) {
    this(world, model, nodeCount, nodeBytes, memory, name, new ClientCards(model));
  }

  /** Creates one of several fabrics that the network cards of compute nodes are connected to. */
  public SimFabric(
      SimWorld world,
      FabricModel model,
      int nodeCount,
      long nodeBytes,
      SimMemory memory,
      String name,
      ClientCards clientCards) {
    this.clientCards = clientCards;
    this.world = world;
    this.model = model;
    this.memory = memory;
    this.name = name;
    this.random = world.random(name);
    this.nodes = new SimMemoryNode[nodeCount];
    for (int i = 0; i < nodeCount; i++) {
      nodes[i] = new SimMemoryNode(i, nodeBytes, memory, new Card(model));
    }
    this.inFlightVerbs = new InFlightVerbs(world);
  }

  @Override
  public SimWorld world() {
    return world;
  }

  @Override
  public FabricModel model() {
    return model;
  }

  String name() {
    return name;
  }

  ClientCards clientCards() {
    return clientCards;
  }

  @Override
  public void observe(VerbObserver newObserver) {
    observer = newObserver;
  }

  boolean isObserved() {
    return observer != null;
  }

  @Override
  public double busyNanos(int node) {
    return nodes[node].card().busyNanos();
  }

  SimRandom random() {
    return random;
  }

  @Override
  public int nodeCount() {
    return nodes.length;
  }

  long nodeBytes(int node) {
    if (node < 0 || node >= nodes.length) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return nodes[node].bytes();
  }

  FaultHooks faults() {
    return faults;
  }

  /**
   * Returns the last task that used a channel, also through wrappers of the channel; null if there
   * was none, or the channel belongs to another fabric.
   */
  @Override
  public SimTask userOf(Channel channel) {
    for (SimChannel each : channels) {
      if (each.staging() == channel.staging()) {
        return each.owner();
      }
    }
    return null;
  }

  @Override
  public void setFaults(FaultHooks points) {
    faults = points;
  }

  /** Returns the fabric of another compute node; closing it affects no other attachment. */
  public Fabric attach() {
    return add(new SimAttachment(this, lastEpoch, new SimLink()));
  }

  @Override
  public Fabric attach(SimNode node) {
    return attach();
  }

  @Override
  public Fabric takeOver(SimNode node) {
    return takeOver(new SimLink());
  }

  /**
   * Returns the fabric of a compute node that takes the pool over, through a network that is never
   * cut.
   */
  public Fabric takeOver() {
    return takeOver(new SimLink());
  }

  /**
   * Returns the fabric of a compute node that takes the pool over; called by one of its simulated
   * threads. One memory node after the other closes the connections of earlier attachments; their
   * verbs take no effect there from then on.
   *
   * @param link network link to all of the memory nodes
   * @throws FabricException if a memory node is unavailable, or serves a later attachment
   */
  public Fabric takeOver(SimLink link) {
    SimAttachment simAttachment = add(new SimAttachment(this, ++lastEpoch, link));
    for (SimMemoryNode node : nodes) {
      world.sleepUntil(world.now() + model.roundTrip() / 2 + 1);
      if (node.isStopped() || !node.serve(simAttachment.epoch())) {
        throw new FabricException(node.id(), "the memory node cannot be attached to", null);
      }
      while (hasFrameAt(each -> each != simAttachment, node)) {
        world.sleepUntil(world.now() + FRAME_NANOS);
      }
      node.heard(world.now());
      SimTask task = world.current();
      world
          .trace()
          .note(
              world.now(),
              task == null ? -1 : task.id(),
              VerbTrace.taskName(task),
              "attached node=" + node.id() + " epoch=" + simAttachment.epoch());
      world.sleepUntil(world.now() + model.roundTrip() / 2 + 1);
    }
    return simAttachment;
  }

  /**
   * Fences a compute node; called by a simulated thread of another one. One memory node after the
   * other finishes the frame it is executing, executes no other verb of it, and closes its
   * connections.
   */
  @Override
  public void fence(Fabric attachment) {
    SimAttachment dead = (SimAttachment) attachment;
    for (SimMemoryNode node : nodes) {
      world.sleepUntil(world.now() + model.roundTrip() / 2 + 1);
      dead.fence(node.id());
      dead.breakLinks(node.id());
      while (hasFrameAt(each -> each == dead, node)) {
        world.sleepUntil(world.now() + FRAME_NANOS);
      }
      world.sleepUntil(world.now() + model.roundTrip() / 2 + 1);
    }
  }

  /**
   * Ends connections of a compute node that may have others: memory nodes execute no further verbs
   * from them, as after {@link #fence(Fabric)}.
   */
  public void end(Fabric attachment) {
    ((SimAttachment) attachment).replace();
    fence(attachment);
  }

  @Override
  public boolean isConnected(Fabric attachment) {
    return ((SimAttachment) attachment).isConnected();
  }

  private boolean hasFrameAt(Predicate<SimAttachment> of, SimMemoryNode node) {
    return !node.isStopped()
        && channels.stream()
            .anyMatch(each -> of.test(each.attachment()) && each.landsWholly(node.id()));
  }

  /** Returns true if a compute node is fenced at the memory nodes. */
  public static boolean isFenced(Fabric attachment) {
    return ((SimAttachment) attachment).isFenced(0);
  }

  /** Returns the fabric of another compute node, through this link. */
  public Fabric attach(SimLink link) {
    return add(new SimAttachment(this, lastEpoch, link));
  }

  /**
   * Cuts an attachment off: its channels receive no more replies, whatever they wait for. Verbs in
   * flight may still take effect.
   */
  public static void cutOff(Fabric attachment) {
    ((SimAttachment) attachment).cutOff();
  }

  /** Returns the virtual time at which a memory node last received a verb from its compute node. */
  public long heard(int node) {
    return nodes[node].heard();
  }

  /** Fences all current attachments. */
  public void fence() {
    lastEpoch++;
    for (SimMemoryNode node : nodes) {
      node.serve(lastEpoch);
    }
  }

  private SimAttachment add(SimAttachment simAttachment) {
    attachments.add(simAttachment);
    return simAttachment;
  }

  SimChannel newChannel(SimAttachment simAttachment, int stagingBytes) {
    SimChannel channel =
        new SimChannel(
            simAttachment, lastChannel++, memory.takeStaging(stagingBytes + 7 & -Long.BYTES));
    channels.add(channel);
    return channel;
  }

  /**
   * Stops a memory node: verbs to it have no effect, and their flushes fail, as do later flushes
   * through the same connections.
   */
  @Override
  public void stopNode(int node) {
    world.trace().fault(world.now(), -1, "mn" + node, "stop");
    nodes[node].stop();
    channels.forEach(each -> each.loseFrame(node));
    attachments.forEach(each -> each.breakLinks(node));
  }

  @Override
  public void restartNode(int node) {
    world.trace().fault(world.now(), -1, "mn" + node, "back");
    nodes[node].comeBack();
  }

  /**
   * Stops a coordinator. A seeded number of its verbs in flight to each node still lands, in order,
   * some of them late.
   */
  @Override
  public void stop(SimTask task) {
    world.stop(task);
    forPosted(task, (posted, node) -> inFlightVerbs.scatter(posted, node, model.wholeFrames()));
  }

  @Override
  public void stopSharp(SimTask task) {
    world.stop(task);
    forPosted(task, inFlightVerbs::lose);
  }

  private void forPosted(SimTask task, ObjIntConsumer<List<SimVerb>> action) {
    for (SimChannel channel : channels) {
      if (channel.owner() == task) {
        for (int node = 0; node < nodes.length; node++) {
          action.accept(channel.posted(), node);
        }
      }
    }
  }

  /** Returns the node of an address range. */
  SimMemoryNode locate(long address, int length) {
    int node = (int) (address >>> PoolAddress.OFFSET_BITS);
    long offset = PoolAddress.offset(address);
    if (address < 0
        || node >= nodes.length
        || length < 0
        || offset + length > nodes[node].bytes()) {
      throw new OutsidePoolException(address, length, nodes.length);
    }
    return nodes[node];
  }

  @Override
  public boolean canPeek() {
    return true;
  }

  @Override
  public long peek(long address) {
    return locate(address, Long.BYTES).word(PoolAddress.offset(address));
  }

  /** Writes a word of a memory node without the network, as a process on that node does. */
  public void poke(long address, long value) {
    locate(address, Long.BYTES).setWord(PoolAddress.offset(address), value);
  }

  @Override
  public long epoch() {
    return lastEpoch;
  }

  void count(SimVerb verb) {
    verbs++;
    if (verb.kind >= SimVerb.CAS) {
      atomics++;
    }
    if (observer != null) {
      observer.posted(
          verb.task, verb.node.id(), verb.cardKind(), verb.length, verb.site.toString());
    }
  }

  void countFlush() {
    flushes++;
  }

  @Override
  public long verbs() {
    return verbs;
  }

  /** Returns the number of CAS and FAA verbs. */
  public long atomics() {
    return atomics;
  }

  @Override
  public long flushes() {
    return flushes;
  }

  void closed(SimChannel channel) {
    channels.remove(channel);
    memory.give(channel.staging());
  }

  @Override
  public void release() {
    for (SimChannel channel : channels) {
      memory.give(channel.staging());
    }
    channels.clear();
    releaseNodes();
  }

  /** Takes over the memory of a fabric whose nodes have stopped for good. */
  public void inherit(SimFabric before) {
    for (int node = 0; node < nodes.length; node++) {
      nodes[node].inherit(before.nodes[node]);
    }
  }

  /** Releases the memory of nodes that have stopped for good. */
  public void releaseNodes() {
    for (SimMemoryNode node : nodes) {
      node.release();
    }
  }
}
