package org.nelumbo.dm.superblock;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The agreed configuration of the compute nodes that share a pool, as bytes under a version, in
 * memory of node 0 of the pool. Writers change it one at a time, under a latch; readers need no
 * latch.
 *
 * <pre>
 *   superblock: | address | latch: number of a compute node | version |
 *                   |                                           | low bit
 *                   +-> copy 0 | length | bytes |  <------------+
 *                       copy 1 | length | bytes |  <------------+
 * </pre>
 *
 * <p><b>Atomicity.</b> A change is written into the copy that is not in force; then the version is
 * raised, which puts the change into force. A reader reads the version before and after the bytes.
 * A copy that was in force at both times was not written in between, because a write to it would
 * need two changes.
 *
 * <p><b>Failures.</b> If a compute node fails while it holds the latch, the next one replaces its
 * number by CAS, once it knows that the failed node is fenced: none of its verbs arrives any more.
 * So a change takes effect completely or not at all, whichever compute node fails. This is as safe
 * as the pool's memory; a pool on one memory node, or on several without copies, is lost with that
 * memory in any case.
 *
 * <p>One thread at a time.
 */
public final class ConfigurationRegister {
  /** Bytes of staging buffer that the channel must have. */
  public static final int STAGING_BYTES = (32 << 10) + 64;

  private static final int COPY_LENGTH = 32 << 10;
  private static final int BYTES_OFFSET = Long.BYTES;

  /** Maximum length of the configuration in bytes. */
  public static final int BYTES_MAX = COPY_LENGTH - BYTES_OFFSET;

  private static final long ADDRESS = PoolAddress.of(0, SuperblockLayout.CONFIGURATION_OFFSET);
  private static final long LATCH = PoolAddress.of(0, SuperblockLayout.CONFIGURATION_LATCH_OFFSET);
  private static final long VERSION =
      PoolAddress.of(0, SuperblockLayout.CONFIGURATION_VERSION_OFFSET);

  private final Environment environment;
  private final Channel channel;
  private final long nodeBytes;
  private final int self;
  private final IntPredicate isFenced;

  /** Address of the copies; 0 while unknown. */
  private long copies;

  /**
   * A version of the configuration.
   *
   * @param version 0 if there is no configuration: then there are no bytes
   */
  public record Content(long version, byte[] bytes) {}

  /**
   * Creates the register of a pool.
   *
   * @param channel used exclusively by this register while one of its methods runs
   * @param nodeBytes bytes of node 0
   * @param self number of this compute node
   * @param isFenced whether the compute node of a number is known to be fenced at every memory node
   */
  public ConfigurationRegister(
      Environment environment, Channel channel, long nodeBytes, int self, IntPredicate isFenced) {
    this.environment = environment;
    this.channel = channel;
    this.nodeBytes = nodeBytes;
    this.self = self;
    this.isFenced = isFenced;
  }

  /**
   * Posts that there is no configuration. For a compute node that owns the pool exclusively, once
   * the copies are free memory.
   */
  public static void postForget(Channel channel) {
    channel.writeLong(ADDRESS, PoolAddress.NULL);
    channel.writeLong(LATCH, 0);
    channel.writeLong(VERSION, 0);
  }

  /** Posts a READ of the version; returns its offset in the staging buffer. */
  public static int postReadVersion(Channel channel) {
    int offset = channel.reserve(Long.BYTES);
    channel.read(VERSION, offset, Long.BYTES);
    return offset;
  }

  /**
   * Returns the bytes of the configuration, read by a memory node from its own memory, at any
   * moment; empty if there is none. Changes nothing.
   *
   * @param channel channel with at least {@link #STAGING_BYTES} of staging buffer
   * @param superblock address of the beginning of logical node 0 on the memory node
   * @param nodeBytes bytes of logical node 0
   */
  public static byte[] peek(Channel channel, long superblock, long nodeBytes) {
    while (true) {
      long version = word(channel, superblock + SuperblockLayout.CONFIGURATION_VERSION_OFFSET);
      long copies =
          PoolAddress.offset(word(channel, superblock + SuperblockLayout.CONFIGURATION_OFFSET));
      boolean isThere = version != 0 && copies != 0 && copies + 2L * COPY_LENGTH <= nodeBytes;
      if (!isThere) {
        return new byte[0];
      }
      byte[] bytes = bytes(channel, superblock + copies + (version & 1) * COPY_LENGTH);
      long after = word(channel, superblock + SuperblockLayout.CONFIGURATION_VERSION_OFFSET);
      if (after == version) {
        return bytes;
      }
    }
  }

  /** Returns the current configuration. */
  public Content read() {
    int mark = channel.mark();
    long version = word(VERSION);
    while (version != 0) {
      byte[] bytes =
          bytes(channel, copy(version)); // arbitrary bytes if the copy is not in force any more
      long after = word(VERSION);
      if (after == version) {
        channel.release(mark);
        return new Content(version, bytes);
      }
      version = after;
    }
    channel.release(mark);
    return new Content(0, new byte[0]);
  }

  private static byte[] bytes(Channel channel, long copy) {
    int mark = channel.mark();
    int offset = channel.reserve(COPY_LENGTH);
    channel.read(copy, offset, COPY_LENGTH);
    channel.flush();
    MemorySegment staging = channel.staging();
    long length = staging.get(ValueLayout.JAVA_LONG, offset);
    byte[] bytes = new byte[Math.clamp(length, 0, BYTES_MAX)];
    MemorySegment.copy(
        staging, ValueLayout.JAVA_BYTE, offset + BYTES_OFFSET, bytes, 0, bytes.length);
    channel.release(mark);
    return bytes;
  }

  /**
   * Changes the configuration.
   *
   * @param change returns the next configuration, given the current one; null if nothing is to
   *     change. Under version 0 there are no bytes
   * @return the configuration in force afterwards
   * @throws PoolOpenException if the pool has no room for it
   * @throws FabricException if a memory node does not respond. This compute node then keeps the
   *     latch, as its verbs may still arrive: the compute node that fences it takes over the latch
   */
  public Content change(UnaryOperator<Content> change) {
    latch();
    int mark = channel.mark();
    try {
      Content before = read();
      Content next = change.apply(before);
      if (next == null) {
        unlatch();
        return before;
      }
      write(next);
      return next;
    } catch (FabricException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      channel.release(mark);
      unlatch(); // the copy that is not in force may have any content
      throw e;
    }
  }

  private void latch() {
    for (int attempt = 0; ; attempt++) {
      long holder = swap(LATCH, 0, self);
      if (holder == 0 || (isFenced.test((int) holder) && swap(LATCH, holder, self) == holder)) {
        return;
      }
      environment.backoff(attempt);
    }
  }

  private void unlatch() {
    channel.writeRelease(LATCH, self, 0);
    channel.flush();
  }

  private void write(Content next) {
    if (next.bytes().length > BYTES_MAX) {
      throw new IllegalArgumentException(
          "the configuration is too long bytes=" + next.bytes().length);
    }
    ensureCopies();
    int mark = channel.mark();
    int offset = channel.reserve(COPY_LENGTH);
    MemorySegment staging = channel.staging();
    staging.set(ValueLayout.JAVA_LONG, offset, next.bytes().length);
    MemorySegment.copy(
        next.bytes(),
        0,
        staging,
        ValueLayout.JAVA_BYTE,
        offset + BYTES_OFFSET,
        next.bytes().length);
    channel.write(copy(next.version()), offset, BYTES_OFFSET + (next.bytes().length + 7 & -8));
    channel.flush();
    channel.release(mark);
    channel.writeLong(VERSION, next.version());
    channel.writeRelease(LATCH, self, 0);
    channel.flush();
  }

  /** The copies stay allocated until a compute node attaches exclusively. */
  private void ensureCopies() {
    if (copies == PoolAddress.NULL) {
      copies = word(ADDRESS);
    }
    if (copies != PoolAddress.NULL) {
      return;
    }
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.fetchAndAdd(PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET), 2L * COPY_LENGTH, offset);
    channel.flush();
    long taken = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    channel.release(mark);
    if (taken == SuperblockLayout.NO_ROOM || taken + 2L * COPY_LENGTH > nodeBytes) {
      throw new PoolOpenException(
          "the pool is full: compute nodes that share it need "
              + 2 * COPY_LENGTH
              + " bytes of node 0 for their configuration");
    }
    copies = PoolAddress.of(0, taken);
    channel.writeLong(ADDRESS, copies);
    channel.flush();
  }

  private long copy(long version) {
    if (copies == PoolAddress.NULL) {
      copies = word(ADDRESS);
    }
    return copies + (version & 1) * COPY_LENGTH;
  }

  private long word(long address) {
    return word(channel, address);
  }

  /** Reads a word of the pool, in one round trip. */
  static long word(Channel channel, long address) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(address, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }

  private long swap(long address, long expected, long replacement) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.compareAndSwap(address, expected, replacement, offset);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }
}
