package org.nelumbo.simulation.replication;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.alloc.LeftMemory;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Flushes of several compute nodes to the same words of a pool with three copies, with one seed,
 * while memory nodes stop, return, and return empty. Nothing is above the flushes, so they meet at
 * a few words all the time. Compute nodes die, too, but for the first one, which then ends their
 * flushes, and others enter. Each client does one of these, again and again:
 *
 * <ul>
 *   <li>takes the latch of a cell, or those of two in one flush, and adds one to both words of the
 *       cell. Both words are what all before it have made of them.
 *   <li>draws from a counter by FAA, be that the clock or for memory, or raises the clock by CAS.
 *       Nobody else gets these numbers, and they are greater than all that were drawn before it
 *       began.
 *   <li>reads a word, and adds one to it by CAS; its other bits tell who has done it, since nobody
 *       else may write what a CAS writes. Of those who try the same only one is told that it has
 *       succeeded, and the word has as many additions as were told.
 *   <li>leaves a piece of free memory on one stack ({@link LeftMemory}): each that was left is on
 *       the stack once.
 * </ul>
 *
 * <p>In the end all copies are equal, and every word is what was done to it.
 */
public final class SharedFlushesRun extends SharedPoolRun<SharedFlushesRun.Client> {
  private static final int NODES = 3;
  private static final long LOGICAL_BYTES = 1L << 20;

  private static final long BASE = 8192;
  private static final int CELLS = 3;
  private static final int CELL_BYTES = 4096;

  // Words of a cell.
  private static final int LATCH = 0;
  private static final int LEFT = 64;
  private static final int RIGHT = 2048;
  private static final int NUMBER = 128;

  /** Of logical nodes 0, 1 and 2. */
  private static final long[] COUNTERS = {
    SuperblockLayout.CLOCK_OFFSET, SuperblockLayout.JOINS_OFFSET, SuperblockLayout.BUMP_OFFSET
  };

  private static final int OWNER_BITS = 16;
  private static final int CLOCK = 0;
  private static final int DRAWN_MAX = 64;

  /** A WRITE that takes several lines, in front of what is behind it. */
  private static final int PAYLOAD = 512;

  private static final int PAYLOAD_BYTES = 256;
  private static final int STAGING_BYTES = 1024;

  /** Of the channel of a client. */
  private static final int CHANNEL_BYTES = STAGING_BYTES + LeftMemory.STAGING_BYTES;

  /** The stack of pieces that all leave memory on, and where the pieces begin. */
  private static final ComputeNodeEntry STACK = new ComputeNodeEntry(2, 1);

  private static final long PIECES = BASE + CELLS * CELL_BYTES;
  private static final int PIECES_MAX = 300;
  private static final int PIECE_CLASS = SizeClass.of(128);
  private static final int PIECE_BYTES = SizeClass.bytes(PIECE_CLASS);
  private static final int COMPUTE_NODES_MAX = 4;
  private static final long RUN_NANOS = 3_000_000;

  /** So long after memory nodes were written to the others know, too, which were away. */
  private static final int CALM_TIMEOUTS = 4;

  private static final long LOOK_NANOS = 50_000;
  private static final long LIMIT_NANOS = 2_000_000_000L;
  private static final long STEPS = 20_000_000;

  private final FabricModel model;
  private final SimReplicas nodes;
  private final FaultInjector faults;
  private final int computeNodes;

  // What is to be found, of each cell.
  private final long[] added = new long[CELLS];
  private final List<Set<Long>> won = new ArrayList<>();

  /** Additions by CAS of the dead: they may have succeeded. */
  private final int[] untold = new int[CELLS];

  /** Of each counter: what was drawn, and the first number that was not. */
  private final List<Set<Long>> drawn = new ArrayList<>();

  private final long[] free = new long[COUNTERS.length];

  /** Pieces that were left, and those that may have been. */
  private final Set<Long> leftPieces = new HashSet<>();

  private final Set<Long> startedPieces = new HashSet<>();

  public SharedFlushesRun(SimWorld world, Totals totals) {
    super(world, totals, "flushes", RUN_NANOS, LIMIT_NANOS, STEPS, 0);
    this.computeNodes = 2 + random.nextInt(COMPUTE_NODES_MAX - 1);
    this.model = FabricModel.preset(random.nextInt(4) == 0 ? "tcp" : "lotus-56g");
    long stopEvery = 200_000 + random.nextLong(RUN_NANOS / 2);
    ReplicaPlan plan =
        new ReplicaPlan(
            NODES,
            1 + random.nextInt(2),
            300_000,
            stopEvery,
            1 + random.nextLong(RUN_NANOS / 2),
            0,
            0,
            false,
            true);
    this.nodes = SimReplicas.of(world, model, NODES, LOGICAL_BYTES, new SimMemory(), plan);
    this.faults = new FaultInjector(nodes, FaultPlan.NONE);
    for (int cell = 0; cell < CELLS; cell++) {
      won.add(new HashSet<>());
    }
    for (int counter = 0; counter < COUNTERS.length; counter++) {
      drawn.add(new HashSet<>());
    }
    new ReplicaFaults(nodes, plan, faults, RUN_NANOS).start();
  }

  @Override
  protected void run() {
    Member first = new Member();
    world.run(first.node, "begin", () -> begin(first));
  }

  @Override
  protected void end() {
    count("stops", faults.counts().memoryNodeStops());
    nodes.release();
  }

  /** The first one makes the pool; then others enter. */
  private void begin(Member first) {
    ReplicatedFabric fabric = (ReplicatedFabric) nodes.takeOver(first.node);
    makePool(first, fabric);
    for (int i = 1; i < computeNodes; i++) {
      enter();
    }
    world.spawn(first.node, "judge", () -> end(fabric));
  }

  @Override
  protected SimReplicas replicas() {
    return nodes;
  }

  @Override
  protected Client newClient(Member member, int index) {
    return new Client(member, member.number + 1L << 8 | index);
  }

  private static Client client(Member member, long owner) {
    return member.clients.stream().filter(each -> each.owner == owner).findFirst().orElse(null);
  }

  @Override
  protected void afterDeath(Member dead) {
    Member first = members.getFirst();
    world.spawn(first.node, "recovery", () -> recover(first.fabric, dead));
  }

  /** Its flushes are ended; then what it has latched is as it was, or as it is to be. */
  private void recover(ReplicatedFabric fabric, Member dead) {
    fence(fabric, dead);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int cell = 0; cell < CELLS; cell++) {
        Client holder = client(dead, word(channel, cell, LATCH));
        if (holder != null) {
          long left = word(channel, cell, LEFT);
          long right = word(channel, cell, RIGHT);
          added[cell] -= left < added[cell] && holder.isWriting ? 1 : 0;
          equal("left of the dead", cell, added[cell], left);
          boolean isPart = !model.wholeFrames() && holder.isWriting && right == left - 1;
          equal("right of the dead", cell, isPart ? left - 1 : left, right);
          channel.writeLong(address(cell, RIGHT), left);
          channel.writeRelease(address(cell, LATCH), holder.owner, 0);
          channel.flush();
        }
      }
    }
    for (Client each : dead.clients) {
      if (each.tries >= 0) {
        untold[each.tries]++;
      }
    }
    dead.isRecovered = true;
  }

  private void end(ReplicatedFabric fabric) {
    while (!members.stream().allMatch(Member::isOver)) {
      world.sleepUntil(world.now() + LOOK_NANOS);
    }
    world.sleepUntil(world.now() + RUN_NANOS); // by then all memory nodes are back
    touchAll(fabric);
    world.sleepUntil(world.now() + RUN_NANOS + CALM_TIMEOUTS * model.timeout());
    nodes.awaitWhole();
    ReplicaComparison.check(nodes);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int cell = 0; cell < CELLS; cell++) {
        equal("latch", cell, 0, word(channel, cell, LATCH));
        equal("left", cell, added[cell], word(channel, cell, LEFT));
        equal("right", cell, added[cell], word(channel, cell, RIGHT));
        long told = won.get(cell).size();
        long number = word(channel, cell, NUMBER) >>> OWNER_BITS;
        equal("number", cell, Math.clamp(number, told, told + untold[cell]), number);
      }
      checkPieces(channel);
    }
    closeAll();
  }

  private void checkPieces(Channel channel) {
    long first = SuperblockLayout.computeNode(STACK.entry());
    long piece = word(channel, first + SuperblockLayout.COMPUTE_NODE_LEFT_OFFSET);
    Set<Long> found = new HashSet<>();
    while (LeftMemory.firstPiece(piece) != PoolAddress.NULL) {
      long address = LeftMemory.firstPiece(piece);
      if (!startedPieces.contains(address) || !found.add(address)) {
        throw new Violation("piece=" + address + " is on the stack twice, or nobody has left it");
      }
      piece = word(channel, address + 2 * Long.BYTES);
    }
    if (!found.containsAll(leftPieces)) {
      throw new Violation("of " + leftPieces.size() + " pieces are left " + found.size());
    }
  }

  /** Who writes to a memory node that was away finds out, also if it is there again. */
  private void touchAll(ReplicatedFabric fabric) {
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int cell = 0; cell < CELLS; cell++) {
        channel.write(address(cell, PAYLOAD), 0, PAYLOAD_BYTES);
      }
      channel.flush();
    }
  }

  private static long word(Channel channel, int cell, int offset) {
    return word(channel, address(cell, offset));
  }

  private static long word(Channel channel, long address) {
    channel.read(address, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Each cell lies on another logical node. */
  private static long address(int cell, int offset) {
    return PoolAddress.of(cell % NODES, BASE + (long) cell * CELL_BYTES + offset);
  }

  private static void equal(String what, int cell, long expected, long found) {
    if (expected != found) {
      throw new Violation(what + " of cell=" + cell + " is " + found + ", not " + expected);
    }
  }

  /** One thread of a compute node, with a channel of its own. */
  final class Client implements Runnable {
    private final ReplicatedFabric fabric;
    private final Environment environment;
    private final long owner;
    private final SimRandom mine;

    /** Whether it is about to write to the cells that it has latched. */
    private boolean isWriting;

    /** The cell whose number it is about to change by CAS; negative: none. */
    private int tries = -1;

    Client(Member member, long owner) {
      this.fabric = member.fabric;
      this.environment = member.node.environment();
      this.owner = owner;
      this.mine = world.random("client " + owner);
    }

    @Override
    public void run() {
      try (Channel channel = fabric.openChannel(CHANNEL_BYTES)) {
        while (world.now() < RUN_NANOS) {
          int cell = mine.nextInt(CELLS);
          switch (mine.nextInt(7)) {
            case 0 -> draw(channel, mine.nextInt(COUNTERS.length));
            case 1 -> raise(channel);
            case 2 -> addByCas(channel, cell);
            case 3 -> addUnderLatches(channel, cell, cell);
            case 4 -> leavePiece(channel);
            default -> addUnderLatches(channel, cell, mine.nextInt(CELLS));
          }
          count("done");
        }
      } catch (FabricException e) {
        throw new Violation("owner=" + owner + ": " + e.getMessage());
      }
    }

    private MemorySegment payload(Channel channel) {
      return channel.staging().asSlice(STAGING_BYTES - PAYLOAD_BYTES, PAYLOAD_BYTES);
    }

    private long result(Channel channel, int place) {
      return channel.staging().get(ValueLayout.JAVA_LONG, place);
    }

    private void draw(Channel channel, int counter) {
      long before = free[counter];
      long count = Long.BYTES * (1L + mine.nextInt(DRAWN_MAX));
      channel.fetchAndAdd(PoolAddress.of(counter, COUNTERS[counter]), count, 0);
      channel.flush();
      note(counter, before, result(channel, 0), count);
    }

    private void raise(Channel channel) {
      long clock = PoolAddress.of(CLOCK, COUNTERS[CLOCK]);
      channel.read(clock, 0, Long.BYTES);
      channel.flush();
      long expected = result(channel, 0);
      long before = free[CLOCK];
      long count = Long.BYTES * (1L + mine.nextInt(DRAWN_MAX));
      channel.compareAndSwap(clock, expected, expected + count, 0);
      channel.flush();
      if (result(channel, 0) == expected) {
        note(CLOCK, before, expected, count);
      }
    }

    private void note(int counter, long before, long number, long count) {
      if (!drawn.get(counter).add(number) || number < before) {
        throw new Violation(
            "owner=" + owner + " draws " + number + " of counter=" + counter + " after " + before);
      }
      free[counter] = Math.max(free[counter], number + count);
    }

    private void addByCas(Channel channel, int cell) {
      long expected = word(channel, cell, NUMBER);
      long number = expected >>> OWNER_BITS;
      tries = cell;
      channel.compareAndSwap(address(cell, NUMBER), expected, number + 1 << OWNER_BITS | owner, 0);
      channel.flush();
      tries = -1;
      if (result(channel, 0) == expected && !won.get(cell).add(number)) {
        throw new Violation("owner=" + owner + " is not the first with number=" + number);
      }
    }

    private void leavePiece(Channel channel) {
      if (startedPieces.size() == PIECES_MAX) {
        return;
      }
      long piece = PoolAddress.of(0, PIECES + (long) PIECE_BYTES * startedPieces.size());
      startedPieces.add(piece);
      int mark = channel.mark();
      channel.reserve(STAGING_BYTES);
      LeftMemory.leaveBlocks(environment, channel, STACK, new long[] {piece}, PIECE_CLASS);
      channel.release(mark);
      leftPieces.add(piece);
    }

    /** Of one cell, or of two: what is taken of them is given back behind what is written. */
    private void addUnderLatches(Channel channel, int one, int other) {
      int[] cells = one == other ? new int[] {one} : new int[] {one, other};
      for (int i = 0; i < cells.length; i++) {
        int place = 3 * Long.BYTES * i;
        channel.compareAndSwap(address(cells[i], LATCH), 0, owner, place);
        channel.read(address(cells[i], LEFT), place + Long.BYTES, Long.BYTES);
        channel.read(address(cells[i], RIGHT), place + 2 * Long.BYTES, Long.BYTES);
      }
      channel.flush();
      payload(channel).fill((byte) mine.nextInt(Byte.MAX_VALUE));
      boolean isAny = false;
      isWriting = true;
      for (int i = 0; i < cells.length; i++) {
        int place = 3 * Long.BYTES * i;
        if (result(channel, place) == 0) {
          isAny = true;
          int cell = cells[i];
          equal("left before an addition", cell, added[cell], result(channel, place + Long.BYTES));
          equal(
              "right before an addition",
              cell,
              added[cell],
              result(channel, place + 2 * Long.BYTES));
          added[cell]++;
          channel.writeLong(address(cell, LEFT), added[cell]);
          channel.write(address(cell, PAYLOAD), STAGING_BYTES - PAYLOAD_BYTES, PAYLOAD_BYTES);
          channel.writeLong(address(cell, RIGHT), added[cell]);
          channel.writeRelease(address(cell, LATCH), owner, 0);
        }
      }
      if (isAny) {
        channel.flush();
      }
      isWriting = false;
    }
  }
}
