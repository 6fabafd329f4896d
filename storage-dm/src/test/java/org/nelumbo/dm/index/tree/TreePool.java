package org.nelumbo.dm.index.tree;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.alloc.ChunkDepot;
import org.nelumbo.dm.alloc.PoolAccount;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolFormat;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.CountingChannel;
import org.nelumbo.dm.fabric.CountingFabric;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.LeafGuard;

/** A formatted pool with a clock, and one coordinator's channel and allocator. */
final class TreePool implements AutoCloseable {
  static final int STAGING = 64 << 10;

  final Environment environment = new SystemEnvironment();
  final AtomicLong clock = new AtomicLong(1);

  /** Below the clock nothing that was retired is reused. */
  final AtomicLong horizon = new AtomicLong(0);

  final CountingFabric fabric;
  final ChunkDepot depot;
  final CountingChannel channel;
  final Tracking allocator;

  TreePool(long bytes) {
    fabric = new CountingFabric(new LocalFabric(2, bytes));
    PoolFormat.format(fabric, 1);
    depot = new ChunkDepot(fabric, horizon::get);
    channel = fabric.openChannel(STAGING);
    allocator = new Tracking(depot.newAllocator(channel));
  }

  OrderedIndex create() {
    return open(OrderedIndex.create(channel, allocator), 1);
  }

  OrderedIndex open(long root, int owner) {
    return new OrderedIndex(environment, root, clock::get, owner);
  }

  int insert(OrderedIndex index, byte[] key, long cvt) {
    return index.insert(channel, allocator, key, key.length, cvt, LeafGuard.NONE);
  }

  int remove(OrderedIndex index, byte[] key, long cvt) {
    return index.remove(channel, allocator, key, key.length, cvt);
  }

  @Override
  public void close() {
    allocator.close();
    channel.close();
    fabric.close();
  }

  /** A key of eight big-endian bytes. */
  static byte[] key(long value) {
    byte[] key = new byte[8];
    for (int i = 0; i < 8; i++) {
      key[i] = (byte) (value >>> (56 - 8 * i));
    }
    return key;
  }

  /** A key of 16 bytes: four big-endian numbers, as of TPC-C's order lines. */
  static byte[] key(int a, int b, int c, int d) {
    byte[] key = new byte[16];
    int[] parts = {a, b, c, d};
    for (int i = 0; i < 16; i++) {
      key[i] = (byte) (parts[i / 4] >>> (24 - 8 * (i % 4)));
    }
    return key;
  }

  /** The value of an eight-byte key. */
  static long number(byte[] bytes, int offset) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | bytes[offset + i] & 255;
    }
    return value;
  }

  /**
   * Notes what is in use, objects to giving back what is not, and can pretend that the pool is
   * exhausted. For one thread.
   */
  static final class Tracking implements PoolAllocator {
    private final PoolAllocator allocator;
    final Map<Long, Integer> live = new HashMap<>();
    long allowance = Long.MAX_VALUE;

    Tracking(PoolAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    public long allocate(int sizeClass) {
      long address = allowance-- <= 0 ? PoolAddress.NULL : allocator.allocate(sizeClass);
      if (address != PoolAddress.NULL && live.put(address, sizeClass) != null) {
        throw new AssertionError("handed out twice address=" + PoolAddress.toString(address));
      }
      return address;
    }

    @Override
    public void addTo(PoolAccount account) {
      allocator.addTo(account);
    }

    @Override
    public void giveBack() {
      allocator.giveBack();
    }

    private void gone(long address, int sizeClass) {
      Integer was = live.remove(address);
      if (was == null || was != sizeClass) {
        throw new AssertionError(
            "given back but not in use address=" + PoolAddress.toString(address));
      }
    }

    @Override
    public void free(long address, int sizeClass) {
      gone(address, sizeClass);
      allocator.free(address, sizeClass);
    }

    @Override
    public void retire(long address, int sizeClass, long timestamp) {
      gone(address, sizeClass);
      allocator.retire(address, sizeClass, timestamp);
    }

    @Override
    public void report() {
      allocator.report();
    }

    @Override
    public void close() {
      allocator.close();
    }
  }
}
