package org.nelumbo.dm.replication.intent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * The table of intents at the memory nodes of a view: where each compute node that shares the pool
 * has its records. All memory nodes have a compute node in one entry, which is taken at the first
 * of them. One thread at a time.
 *
 * <p>A block stays with its entry when the compute node has gone: the next one has it.
 */
public final class IntentTable implements AutoCloseable {
  static final int NONE = -1;
  private static final int TABLE_LENGTH = IntentLayout.ENTRIES * IntentLayout.ENTRY_LENGTH;

  private final Environment environment;
  private final View view;
  private final int first;
  private final MemorySegment staging;
  private final NodeChannels channels;

  /** The table at the memory nodes of a view. */
  public IntentTable(Environment environment, View view) {
    this(environment, view, Long.numberOfTrailingZeros(view.liveNodes()));
  }

  /**
   * The table at the memory nodes of a view.
   *
   * @param first the one at which all look
   */
  public IntentTable(Environment environment, View view, int first) {
    this.environment = environment;
    this.view = view;
    this.first = first;
    this.staging = Arena.ofAuto().allocate(IntentLayout.BLOCK_LENGTH, Long.BYTES);
    this.channels = new NodeChannels(view.placement().nodes(), staging);
  }

  /** The memory node at which entries are taken. */
  int first() {
    return first;
  }

  /** Verbs to one memory node, whose results are at the beginning of the staging buffer. */
  interface Verbs {
    void post(Channel channel);
  }

  MemorySegment staging() {
    return staging;
  }

  void run(int node, Verbs verbs) {
    channels.begin();
    Channel channel = channels.to(view, node);
    if (channel != null) {
      verbs.post(channel);
    }
    if (!channels.flush()) {
      throw new FabricException(
          node, "a memory node does not tell what was intended", channels.failure(node));
    }
  }

  private static long at(long offset) {
    return PoolAddress.of(0, offset);
  }

  /** A word of a memory node. */
  public long word(int node, long offset) {
    run(node, channel -> channel.read(at(offset), 0, Long.BYTES));
    return staging.get(ValueLayout.JAVA_LONG, 0);
  }

  void setWord(int node, long offset, long value) {
    run(node, channel -> channel.writeLong(at(offset), value));
  }

  /** Adds to a word of a memory node. */
  public void add(int node, long offset, long delta) {
    run(node, channel -> channel.fetchAndAdd(at(offset), delta, 0));
  }

  /** Makes a word of a memory node at least as large as that. */
  public void raise(int node, long offset, long least) {
    long now = word(node, offset);
    while (now < least) {
      long found = swap(node, offset, now, least);
      now = found == now ? least : found;
    }
  }

  /** CAS of a word; its old value. */
  long swap(int node, long offset, long expected, long replacement) {
    run(node, channel -> channel.compareAndSwap(at(offset), expected, replacement, 0));
    return staging.get(ValueLayout.JAVA_LONG, 0);
  }

  /** The entry of a tenant, {@link #NONE} if it has none. */
  int find(long tenant) {
    run(first(), channel -> channel.read(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
    for (int entry = 0; entry < IntentLayout.ENTRIES; entry++) {
      if (staging.get(ValueLayout.JAVA_LONG, (long) entry * IntentLayout.ENTRY_LENGTH) == tenant) {
        return entry;
      }
    }
    return NONE;
  }

  private static long tenantOffset(int entry) {
    return IntentLayout.entryOffset(entry) + IntentLayout.TENANT_OFFSET;
  }

  private static long blockOffset(int entry) {
    return IntentLayout.entryOffset(entry) + IntentLayout.BLOCK_OFFSET;
  }

  /** Where the block of an entry is in a memory node, 0 if it has none. */
  long block(int node, int entry) {
    return word(node, blockOffset(entry));
  }

  /** A compute node among those that share the pool, and the views and step it has come to. */
  public record Sharer(long tenant, long left, long repeated, long heard) {}

  /** Those that have room for their intents: who has not, has no flush under way. */
  public List<Sharer> sharers() {
    run(first(), channel -> channel.read(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
    long[] table = staging.asSlice(0, TABLE_LENGTH).toArray(ValueLayout.JAVA_LONG);
    List<Sharer> sharers = new ArrayList<>();
    for (int entry = 0; entry < IntentLayout.ENTRIES; entry++) {
      long tenant = table[entry * IntentLayout.ENTRY_LENGTH / Long.BYTES];
      long block = table[entry * IntentLayout.ENTRY_LENGTH / Long.BYTES + 1];
      if (tenant != 0 && block != 0) {
        run(first(), channel -> channel.read(at(block), 0, 4 * Long.BYTES));
        sharers.add(
            new Sharer(
                tenant,
                staging.get(ValueLayout.JAVA_LONG, IntentLayout.LEFT_OFFSET),
                staging.get(ValueLayout.JAVA_LONG, IntentLayout.REPEATED_OFFSET),
                staging.get(ValueLayout.JAVA_LONG, IntentLayout.HEARD_OFFSET)));
      }
    }
    return sharers;
  }

  /** All that have an entry, also those that have no room for their intents yet. */
  public List<Long> tenants() {
    return tenants(first());
  }

  private List<Long> tenants(int node) {
    run(node, channel -> channel.read(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
    List<Long> tenants = new ArrayList<>();
    for (int entry = 0; entry < IntentLayout.ENTRIES; entry++) {
      long tenant = staging.get(ValueLayout.JAVA_LONG, (long) entry * IntentLayout.ENTRY_LENGTH);
      if (tenant != 0) {
        tenants.add(tenant);
      }
    }
    return tenants;
  }

  /** All that another live memory node than the first one has in an entry. */
  public Set<Long> tenantsElsewhere() {
    Set<Long> tenants = new HashSet<>();
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node) && node != first()) {
        tenants.addAll(tenants(node));
      }
    }
    return tenants;
  }

  private void note(int node, long offset) {
    try {
      Channel channel = channels.to(view, node);
      if (channel != null) {
        channel.writeLong(at(offset), view.number());
      }
    } catch (FabricException e) {
      channels.setFailed(node, e);
    }
  }

  /** The tenant that fills a memory node, or is about to; 0 if none is. */
  public long filler() {
    return word(first(), NodeHeaderLayout.FILLER_OFFSET);
  }

  /** Makes another tenant the one that fills, or none; false if it was not the one it was. */
  public boolean setFiller(long before, long tenant) {
    return swap(first(), NodeHeaderLayout.FILLER_OFFSET, before, tenant) == before;
  }

  /** The last step that was published. */
  public FillStep fillStep() {
    run(
        first(),
        channel -> channel.read(at(NodeHeaderLayout.FILL_STEP_OFFSET), 0, FillStep.LENGTH));
    return FillStep.read(staging, 0);
  }

  /** Publishes a step; by whoever fills. */
  public void publish(FillStep step) {
    step.write(staging, 0);
    run(
        first(),
        channel -> channel.write(at(NodeHeaderLayout.FILL_STEP_OFFSET), 0, FillStep.LENGTH));
  }

  /** Tells who fills that no flush of this compute node is at an earlier step any more. */
  public void noteHeard(FlushIntents own, long step) {
    setWord(first(), own.block(first()) + IntentLayout.HEARD_OFFSET, step);
  }

  /** Tells the others that this compute node has left the views before this one. */
  public void noteLeft(FlushIntents own) {
    note(own, IntentLayout.LEFT_OFFSET);
  }

  /** Tells the others that it has done again in this view what it had not ended. */
  public void noteRepeated(FlushIntents own) {
    note(own, IntentLayout.REPEATED_OFFSET);
  }

  /**
   * At all memory nodes: one that becomes live is no first one yet for those to whom it is new, and
   * may be for those who enter, or have come to its view already.
   */
  private void note(FlushIntents own, int offset) {
    channels.begin();
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        note(node, own.block(node) + offset);
      }
    }
    if (!channels.flush()) {
      int failed = Long.numberOfTrailingZeros(channels.failed());
      throw new FabricException(
          failed, "a memory node is not told of the view", channels.failure(failed));
    }
  }

  /**
   * Takes an entry for a compute node that has no flush under way.
   *
   * @throws PoolOpenException if there is none left
   */
  public int take(long tenant) {
    for (int entry = 0; entry < IntentLayout.ENTRIES; entry++) {
      if (swap(first(), tenantOffset(entry), 0, tenant) == 0) {
        long block = block(first(), entry);
        if (block != 0) {
          setWord(first(), block + IntentLayout.LEFT_OFFSET, view.number());
          setWord(first(), block + IntentLayout.REPEATED_OFFSET, view.number());
        }
        return entry;
      }
    }
    throw new PoolOpenException(
        IntentLayout.ENTRIES + " compute nodes share the pool, and there is no room for more");
  }

  /**
   * Gives a compute node room for its intents.
   *
   * @param entry that it has taken
   * @param pool a channel to hand out memory of logical nodes by
   * @throws PoolOpenException if there is no memory left
   */
  public FlushIntents enter(long tenant, int entry, Channel pool) {
    long[] blocks = new long[view.placement().nodes()];
    for (int node = 0; node < blocks.length; node++) {
      if (view.isLive(node)) {
        long old = block(node, entry);
        long block = old != 0 ? old : allocate(node, pool);
        blocks[node] = block;
        enter(node, tenant, entry, block, view.number());
      } else if (view.connection(node) != null) {
        blocks[node] = allocate(node, pool); // for when it is live
      }
    }
    return new FlushIntents(environment, tenant, entry, blocks);
  }

  private void enter(int node, long tenant, int entry, long block, long repeated) {
    staging.fill((byte) 0);
    staging.set(ValueLayout.JAVA_LONG, IntentLayout.LEFT_OFFSET, view.number());
    staging.set(ValueLayout.JAVA_LONG, IntentLayout.REPEATED_OFFSET, repeated);
    run(
        node,
        channel -> {
          channel.write(at(block), 0, IntentLayout.BLOCK_LENGTH);
          channel.writeLong(at(blockOffset(entry)), block);
          channel.writeLong(at(block), tenant);
          channel.writeLong(at(tenantOffset(entry)), tenant);
        });
  }

  /**
   * Makes sure that a compute node has room for its intents at one more memory node, once that is
   * live.
   *
   * @throws PoolOpenException if there is no memory left
   */
  public void reserve(FlushIntents own, int node, Channel pool) {
    if (own.block(node) == 0) {
      own.setBlock(node, allocate(node, pool));
    }
  }

  /**
   * A node becomes live that was filled: this compute node, which has no flush under way, has
   * intents there, too, from now on. Those that it had are void: the node does not know that it has
   * done them. One memory node that says so is enough.
   *
   * <p>There nobody has repeated anything yet: whoever finds somebody there who has knows that all
   * have left the view before, and so are there.
   */
  public void extend(FlushIntents own, int filled) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node) && node != filled) {
        for (int record = 0; record < IntentLayout.RECORDS; record++) {
          staging.set(ValueLayout.JAVA_LONG, (long) record * Long.BYTES, own.lastFlush(record));
        }
        long voids = own.block(node) + IntentLayout.VOID_OFFSET;
        run(node, channel -> channel.write(at(voids), 0, IntentLayout.RECORDS * Long.BYTES));
      }
    }
    enter(filled, own.tenant(), own.entry(), own.block(filled), 0);
  }

  /** Takes memory of a logical node whose first copy is at a memory node: of that copy. */
  private long allocate(int node, Channel pool) {
    Placement placement = view.placement();
    int mark = pool.mark();
    int offset = pool.reserve(Long.BYTES);
    pool.fetchAndAdd(
        PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), IntentLayout.BLOCK_LENGTH, offset);
    pool.flush();
    long taken = pool.staging().get(ValueLayout.JAVA_LONG, offset);
    pool.release(mark);
    if (taken == SuperblockLayout.NO_ROOM
        || taken + IntentLayout.BLOCK_LENGTH > placement.slotBytes()) {
      throw new PoolOpenException(
          "the pool is full: compute nodes that share it need "
              + IntentLayout.BLOCK_LENGTH
              + " bytes of each memory node, to note what they write");
    }
    return placement.offset(node, 0, taken);
  }

  /** Takes out this compute node, none of whose flushes is under way. */
  public void leave(long tenant) {
    int entry = find(tenant);
    if (entry != NONE) {
      leave(entry, tenant);
    }
  }

  /** Takes out a compute node none of whose flushes is under way; by who has the claim. */
  public void leave(int entry, long tenant) {
    long block = block(first(), entry);
    if (block != 0) {
      setWord(first(), block, 0);
    }
    forget(entry, tenant);
  }

  /** Frees an entry that nobody claims, unless somebody else has it by now. */
  void forget(int entry, long tenant) {
    for (int node = view.placement().nodes() - 1; node >= 0; node--) {
      if (view.isLive(node)) {
        swap(node, tenantOffset(entry), tenant, 0);
      }
    }
  }

  @Override
  public void close() {
    channels.close();
  }
}
