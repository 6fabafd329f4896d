package org.nelumbo.simulation.replication;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.dm.superblock.CommitVector;
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
 * A run with flushes of several compute nodes to the same words of a pool with three copies, with
 * one seed, while memory nodes stop and restart, with or without their memory. There is no engine
 * above the flushes, so they conflict at a few words all the time. Compute nodes other than the
 * first one fail; the first one then completes their flushes, and others join. Each client repeats
 * one of these actions:
 *
 * <ul>
 *   <li>It takes the latch of one cell, or of two in one flush, and adds one to both words of each
 *       latched cell. Both words contain all earlier additions.
 *   <li>It draws from a counter by FAA (the clock, the number of joins, or the allocation pointer),
 *       or it raises the clock by CAS. No other client gets these numbers, and they are greater
 *       than all numbers drawn before the action began.
 *   <li>It reads a word, and adds one to it by CAS. The other bits of the word identify the writer,
 *       since different writers must write different values by CAS. Of the clients that try the
 *       same number only one succeeds, and the word has as many additions as succeeded.
 *   <li>It raises its compute node's word of a {@link CommitVector}, or reads all words. A word is
 *       not less than any value that was read, or written, before the READ began.
 *   <li>It donates a piece of free memory to one stack ({@link DonatedMemory}): each donated piece
 *       is on the stack once.
 * </ul>
 *
 * <p>In the end all copies are equal, and every word contains the result of all actions.
 */
public final class SharedFlushesRun extends SharedPoolRun<SharedFlushesRun.Client> {
  private static final int NODES = 3;
  private static final long LOGICAL_BYTES = 1L << 20;

  private static final long BASE = 8192;
  private static final int CELLS = 3;
  private static final int CELL_BYTES = 4096;

  // Offsets of the words of a cell.
  private static final int LATCH = 0;
  private static final int LEFT = 64;
  private static final int RIGHT = 2048;
  private static final int NUMBER = 128;

  /** Offsets of the counters of logical nodes 0, 1 and 2. */
  private static final long[] COUNTERS = {
    SuperblockLayout.CLOCK_OFFSET, SuperblockLayout.JOINS_OFFSET, SuperblockLayout.BUMP_OFFSET
  };

  private static final int OWNER_BITS = 16;
  private static final int CLOCK = 0;
  private static final int DRAWN_MAX = 64;

  /** Offset of a WRITE that spans several cache lines, posted before the words that follow. */
  private static final int PAYLOAD = 512;

  private static final int PAYLOAD_BYTES = 256;
  private static final int STAGING_BYTES = 1024;
  private static final int CHANNEL_BYTES = STAGING_BYTES + DonatedMemory.STAGING_BYTES;

  /** The stack to which all clients donate memory, and the address of the first piece. */
  private static final ComputeNodeEntry STACK = new ComputeNodeEntry(2, 1);

  private static final long PIECES = BASE + CELLS * CELL_BYTES;
  private static final int PIECES_MAX = 300;
  private static final int PIECE_CLASS = SizeClass.of(128);
  private static final int PIECE_BYTES = SizeClass.bytes(PIECE_CLASS);

  private static final long VECTOR = PIECES + (long) PIECES_MAX * PIECE_BYTES;

  /** Compute nodes that have a word. */
  private static final int WORDS = 16;

  private static final int COMPUTE_NODES_MAX = 4;
  private static final long RUN_NANOS = 3_000_000;

  /**
   * Number of timeouts after a write to all memory nodes, until other compute nodes detect the ones
   * that were away.
   */
  private static final int CALM_TIMEOUTS = 4;

  private static final long LOOK_NANOS = 50_000;
  private static final long LIMIT_NANOS = 2_000_000_000L;
  private static final long STEPS = 20_000_000;

  private final FabricModel model;
  private final SimReplicas nodes;
  private final FaultInjector faults;
  private final int computeNodes;

  // Expected content of each cell.
  private final long[] added = new long[CELLS];
  private final List<Set<Long>> won = new ArrayList<>();

  /** Additions by CAS of failed compute nodes, which may have succeeded. */
  private final int[] untold = new int[CELLS];

  /** The numbers drawn from each counter, and the first number that was not drawn. */
  private final List<Set<Long>> drawn = new ArrayList<>();

  private final long[] free = new long[COUNTERS.length];

  /** The last value that was written to each word of the vector, completely or not. */
  private final long[] written = new long[WORDS];

  /** The largest value of each word that was read, or completely written. */
  private final long[] published = new long[WORDS];

  private final boolean[] isPublishing = new boolean[WORDS];

  /** Donated pieces, and those that may have been donated. */
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

  private void begin(Member first) {
    ReplicatedFabric fabric = (ReplicatedFabric) nodes.takeOver(first.node);
    makePool(first, fabric);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      channel.writeLong(PoolAddress.of(0, SuperblockLayout.COMMIT_VECTOR_OFFSET), VECTOR);
      channel.flush();
    }
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
    return new Client(member, member.number, member.number + 1L << 8 | index);
  }

  private static Client client(Member member, long owner) {
    return member.clients.stream().filter(each -> each.owner == owner).findFirst().orElse(null);
  }

  @Override
  protected void afterDeath(Member dead) {
    Member first = members.getFirst();
    world.spawn(first.node, "recovery", () -> recover(first.fabric, dead));
  }

  private void recover(ReplicatedFabric fabric, Member dead) {
    fence(fabric, dead);
    try (Channel channel = fabric.openChannel(STAGING_BYTES)) {
      for (int cell = 0; cell < CELLS; cell++) {
        Client holder = client(dead, word(channel, cell, LATCH));
        if (holder != null) {
          long left = word(channel, cell, LEFT);
          long right = word(channel, cell, RIGHT);
          added[cell] -= left < added[cell] && holder.isWriting ? 1 : 0;
          equal("left word of failed compute nodes", cell, added[cell], left);
          boolean isPart = !model.wholeFrames() && holder.isWriting && right == left - 1;
          equal("right word of failed compute nodes", cell, isPart ? left - 1 : left, right);
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
    world.sleepUntil(world.now() + RUN_NANOS); // until then all memory nodes are up
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
    long piece = word(channel, first + SuperblockLayout.COMPUTE_NODE_DONATED_OFFSET);
    Set<Long> found = new HashSet<>();
    while (DonatedMemory.firstPiece(piece) != PoolAddress.NULL) {
      long address = DonatedMemory.firstPiece(piece);
      if (!startedPieces.contains(address) || !found.add(address)) {
        throw new Violation("piece=" + address + " is on the stack twice, or was never donated");
      }
      piece = word(channel, address + 2 * Long.BYTES);
    }
    if (!found.containsAll(leftPieces)) {
      throw new Violation("of " + leftPieces.size() + " pieces remain " + found.size());
    }
  }

  /** A write detects that a memory node was away, even if it is up again. */
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

  /** Each cell is on another logical node. */
  private static long address(int cell, int offset) {
    return PoolAddress.of(cell % NODES, BASE + (long) cell * CELL_BYTES + offset);
  }

  private static void equal(String what, int cell, long expected, long found) {
    if (expected != found) {
      throw new Violation(what + " of cell=" + cell + " is " + found + ", not " + expected);
    }
  }

  /** A thread of a compute node, with its own channel. */
  final class Client implements Runnable {
    private final ReplicatedFabric fabric;
    private final Environment environment;
    private final int entry;
    private final long owner;
    private final SimRandom mine;

    /** True while it may write to the cells it has latched. */
    private boolean isWriting;

    /** The cell whose number it is changing by CAS; negative if none. */
    private int tries = -1;

    Client(Member member, int entry, long owner) {
      this.fabric = member.fabric;
      this.entry = entry;
      this.environment = member.node.environment();
      this.owner = owner;
      this.mine = world.random("client " + owner);
    }

    @Override
    public void run() {
      try (Channel channel = fabric.openChannel(CHANNEL_BYTES)) {
        enterTable(channel);
        while (world.now() < RUN_NANOS) {
          int cell = mine.nextInt(CELLS);
          switch (mine.nextInt(9)) {
            case 0 -> draw(channel, mine.nextInt(COUNTERS.length));
            case 1 -> raise(channel);
            case 2 -> addByCas(channel, cell);
            case 3 -> addUnderLatches(channel, cell, cell);
            case 4 -> leavePiece(channel);
            case 5 -> publish(channel);
            case 6 -> readVector(channel);
            default -> addUnderLatches(channel, cell, mine.nextInt(CELLS));
          }
          count("done");
        }
      } catch (FabricException e) {
        throw new Violation("owner=" + owner + ": " + e.getMessage());
      }
    }

    /** Enters this compute node in the table, so that its word is completed if it fails. */
    private void enterTable(Channel channel) {
      if (entry < WORDS) {
        channel.writeLong(
            SuperblockLayout.computeNode(entry) + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET,
            fabric.tenant());
        channel.flush();
      }
    }

    private void publish(Channel channel) {
      if (entry >= WORDS || isPublishing[entry]) {
        return;
      }
      isPublishing[entry] = true;
      long value = ++written[entry];
      channel.writeLong(
          CommitVector.slotAddress(VECTOR, entry),
          CommitVector.word(value << CommitVector.SLOT_BITS, false));
      channel.flushRaised();
      published[entry] = Math.max(published[entry], value);
      isPublishing[entry] = false;
    }

    private void readVector(Channel channel) {
      long[] before = published.clone();
      channel.read(CommitVector.slotAddress(VECTOR, 0), 0, WORDS * Long.BYTES);
      channel.flush();
      for (int i = 0; i < WORDS; i++) {
        long word = CommitVector.timestamp(result(channel, i * Long.BYTES));
        long value = word >>> CommitVector.SLOT_BITS;
        if (value < before[i] || value > written[i]) {
          throw new Violation(
              "owner=" + owner + " reads " + value + " of word=" + i + " after " + before[i]);
        }
        published[i] = Math.max(published[i], value);
      }
    }

    private MemorySegment payload(Channel channel) {
      return channel.staging().asSlice(STAGING_BYTES - PAYLOAD_BYTES, PAYLOAD_BYTES);
    }

    private long result(Channel channel, int stagingOffset) {
      return channel.staging().get(ValueLayout.JAVA_LONG, stagingOffset);
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
      DonatedMemory.donateBlocks(environment, channel, STACK, new long[] {piece}, PIECE_CLASS);
      channel.release(mark);
      leftPieces.add(piece);
    }

    private void addUnderLatches(Channel channel, int one, int other) {
      int[] cells = one == other ? new int[] {one} : new int[] {one, other};
      for (int i = 0; i < cells.length; i++) {
        int stagingOffset = 3 * Long.BYTES * i;
        channel.compareAndSwap(address(cells[i], LATCH), 0, owner, stagingOffset);
        channel.read(address(cells[i], LEFT), stagingOffset + Long.BYTES, Long.BYTES);
        channel.read(address(cells[i], RIGHT), stagingOffset + 2 * Long.BYTES, Long.BYTES);
      }
      channel.flush();
      payload(channel).fill((byte) mine.nextInt(Byte.MAX_VALUE));
      boolean isAny = false;
      isWriting = true;
      for (int i = 0; i < cells.length; i++) {
        int stagingOffset = 3 * Long.BYTES * i;
        if (result(channel, stagingOffset) == 0) {
          isAny = true;
          int cell = cells[i];
          equal(
              "left before an addition",
              cell,
              added[cell],
              result(channel, stagingOffset + Long.BYTES));
          equal(
              "right before an addition",
              cell,
              added[cell],
              result(channel, stagingOffset + 2 * Long.BYTES));
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
