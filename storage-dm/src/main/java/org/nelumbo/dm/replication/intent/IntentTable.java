package org.nelumbo.dm.replication.intent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * The intent table at the memory nodes of a view, which locates the records of each compute node
 * that shares the pool. A compute node has the same entry at all memory nodes; it takes the entry
 * at the first of them. A block stays with its entry after the compute node has gone, and the next
 * one uses it. Confined to one thread at a time.
 */
public final class IntentTable implements AutoCloseable {
  static final int NONE = -1;
  private static final int TABLE_LENGTH = IntentLayout.ENTRIES * IntentLayout.ENTRY_LENGTH;

  private final Environment environment;
  private final View view;
  private final int first;
  private final MemorySegment staging;
  private final NodeChannels channels;

  /** Opens the table at the memory nodes of a view. */
  public IntentTable(Environment environment, View view) {
    this(environment, view, Long.numberOfTrailingZeros(view.liveNodes()));
  }

  /**
   * Opens the table at the memory nodes of a view.
   *
   * @param first memory node at which all compute nodes take entries
   */
  public IntentTable(Environment environment, View view, int first) {
    this.environment = environment;
    this.view = view;
    this.first = first;
    this.staging = Arena.ofAuto().allocate(IntentLayout.BLOCK_LENGTH, Long.BYTES);
    this.channels = new NodeChannels(view.placement().nodes(), staging);
  }

  /** Returns the memory node at which entries are taken. */
  int first() {
    return first;
  }

  /** Verbs to one memory node, whose results are stored at the beginning of the staging buffer. */
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
          node, "a memory node does not return its intents", channels.failure(node));
    }
  }

  private static long at(long offset) {
    return PoolAddress.of(0, offset);
  }

  /** Reads a word of a memory node. */
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

  /** Raises a word of a memory node to at least a value. */
  public void raise(int node, long offset, long least) {
    long now = word(node, offset);
    while (now < least) {
      long found = swap(node, offset, now, least);
      now = found == now ? least : found;
    }
  }

  /** Executes a CAS on a word; returns its old value. */
  long swap(int node, long offset, long expected, long replacement) {
    run(node, channel -> channel.compareAndSwap(at(offset), expected, replacement, 0));
    return staging.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Returns the entry of a tenant, or {@link #NONE}. */
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

  /** Returns the offset of an entry's block in a memory node, or 0 if it has none. */
  long block(int node, int entry) {
    return word(node, blockOffset(entry));
  }

  /**
   * Returns the offsets of all blocks with intents in a memory node. They are in the first copy of
   * a logical node, and differ from the other copies.
   */
  public long[] blocks(int node) {
    run(node, channel -> channel.read(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
    long[] table = staging.asSlice(0, TABLE_LENGTH).toArray(ValueLayout.JAVA_LONG);
    return IntStream.range(0, IntentLayout.ENTRIES)
        .mapToLong(entry -> table[entry * IntentLayout.ENTRY_LENGTH / Long.BYTES + 1])
        .filter(block -> block != 0)
        .toArray();
  }

  /** A compute node that shares the pool, with the views and the fill epoch that it has reached. */
  public record Sharer(long tenant, long left, long repeated, long heard) {}

  /**
   * Returns the compute nodes that have room for their intents. One without room has no flush in
   * progress.
   */
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

  /**
   * Returns the tenants of all entries, including those that have no room for their intents yet.
   */
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

  /** Returns the tenants of all entries at live memory nodes other than the first one. */
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

  /** Returns the tenant that fills a memory node or is about to, or 0 if there is none. */
  public long filler() {
    return word(first(), NodeHeaderLayout.FILLER_OFFSET);
  }

  /**
   * Replaces the filling tenant by another one, or by 0; returns false if {@code before} is
   * outdated.
   */
  public boolean setFiller(long before, long tenant) {
    return swap(first(), NodeHeaderLayout.FILLER_OFFSET, before, tenant) == before;
  }

  /** Returns the fill epoch that was published last. */
  public FillEpoch fillStep() {
    run(
        first(),
        channel -> channel.read(at(NodeHeaderLayout.FILL_STEP_OFFSET), 0, FillEpoch.LENGTH));
    return FillEpoch.read(staging, 0);
  }

  /** Publishes a fill epoch. Only for the filling compute node. */
  public void publish(FillEpoch step) {
    step.write(staging, 0);
    run(
        first(),
        channel -> channel.write(at(NodeHeaderLayout.FILL_STEP_OFFSET), 0, FillEpoch.LENGTH));
  }

  /**
   * Reports to the filling compute node that no flush of this one is at an earlier fill epoch. The
   * complement of an epoch number refuses that epoch.
   */
  public void noteHeard(FlushIntents own, long step) {
    setWord(first(), own.block(first()) + IntentLayout.HEARD_OFFSET, step);
  }

  /** Reports to the other compute nodes that this one has left the views before this one. */
  public void noteLeft(FlushIntents own) {
    note(own, IntentLayout.LEFT_OFFSET);
  }

  /**
   * Reports to the other compute nodes that this one has repeated its unfinished flushes in this
   * view.
   */
  public void noteRepeated(FlushIntents own) {
    note(own, IntentLayout.REPEATED_OFFSET);
  }

  /**
   * Writes the view number at all live memory nodes. A node that becomes live in this view is not
   * the first one yet for compute nodes of the earlier view. It may already be the first for those
   * that enter or have reached this view.
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
          failed, "a memory node does not receive the view", channels.failure(failed));
    }
  }

  /**
   * Takes an entry for a compute node that has no flush in progress.
   *
   * @throws PoolOpenException if no entry is free
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
        IntentLayout.ENTRIES + " compute nodes share the pool, which is the maximum");
  }

  /**
   * Removes all compute nodes, none of which has the pool open.
   *
   * @param keepsBlocks true if the blocks with intents are still allocated, for the next compute
   *     nodes
   */
  public void reset(boolean keepsBlocks) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        run(node, channel -> channel.read(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
        for (int entry = 0; entry < IntentLayout.ENTRIES; entry++) {
          long at = (long) entry * IntentLayout.ENTRY_LENGTH;
          staging.set(ValueLayout.JAVA_LONG, at + IntentLayout.TENANT_OFFSET, 0);
          if (!keepsBlocks) {
            staging.set(ValueLayout.JAVA_LONG, at + IntentLayout.BLOCK_OFFSET, 0);
          }
        }
        run(node, channel -> channel.write(at(IntentLayout.entryOffset(0)), 0, TABLE_LENGTH));
      }
    }
  }

  /**
   * Provides room for the intents of a compute node.
   *
   * @param entry entry that it has taken
   * @param pool channel to allocate memory of logical nodes
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
        blocks[node] = allocate(node, pool); // for use when it is live
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
   * Ensures that a compute node has room for its intents at another memory node when that becomes
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
   * Extends the intents of this compute node, which has no flush in progress, to a filled memory
   * node that becomes live. Its earlier intents become void, because the node has no marks that it
   * has executed them. It is enough that one memory node records this.
   *
   * <p>At the filled node no compute node is recorded as having repeated its flushes. If one is
   * recorded there later, all have left the earlier view, and so are recorded there.
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

  /**
   * Allocates a block from a logical node whose first copy is on a memory node; returns its offset
   * in that memory node.
   */
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
              + " bytes of each memory node to record their writes");
    }
    return placement.offset(node, 0, taken);
  }

  /** Removes this compute node, which has no flush in progress. */
  public void leave(long tenant) {
    int entry = find(tenant);
    if (entry != NONE) {
      leave(entry, tenant);
    }
  }

  /** Removes a compute node that has no flush in progress. The caller has the claim. */
  public void leave(int entry, long tenant) {
    long block = block(first(), entry);
    if (block != 0) {
      setWord(first(), block, 0);
    }
    forget(entry, tenant);
  }

  /** Frees an entry without a claim, unless another compute node has taken it meanwhile. */
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
