package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.alloc.ChunkDepot;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolFormat;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.CountingFabric;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.TrackingAllocator;
import org.nelumbo.dm.layout.SizeClass;

/** A formatted pool with a clock, and makers of CVTs. */
final class TestPool implements AutoCloseable {
  static final int STAGING = 64 << 10;
  private static final int CVT = SizeClass.of(16);

  final Environment environment = new SystemEnvironment();
  final AtomicLong clock = new AtomicLong(1);
  final AtomicLong horizon = new AtomicLong(0);
  final CountingFabric fabric;
  final ChunkDepot depot;
  final Channel channel;
  final TrackingAllocator allocator;

  TestPool(int nodes, long nodeBytes) {
    fabric = new CountingFabric(new LocalFabric(nodes, nodeBytes));
    PoolFormat.format(fabric, 1);
    depot = new ChunkDepot(fabric, horizon::get);
    channel = fabric.openChannel(STAGING);
    allocator = new TrackingAllocator(depot.newAllocator(channel));
  }

  HashIndex create() {
    return open(HashIndex.create(channel, allocator), 1);
  }

  HashIndex open(long root, int owner) {
    return new HashIndex(environment, root, clock::get, owner);
  }

  long cvt(long lotusKey) {
    return cvt(channel, allocator, lotusKey);
  }

  /** A new CVT (its first word, which is all the index knows of it); 0 if the pool is exhausted. */
  static long cvt(Channel channel, PoolAllocator allocator, long lotusKey) {
    long cvt = allocator.allocate(CVT);
    if (cvt != 0) {
      channel.writeLong(cvt, lotusKey);
    }
    return cvt;
  }

  /** Inserts as transactions do: with what the lookup before has seen. */
  static boolean insertAfterLookup(
      HashIndex index, Channel channel, PoolAllocator allocator, long lotusKey, long cvt) {
    HashProbe probe = new HashProbe();
    int mark = channel.mark();
    index.lookupForInsert(channel, lotusKey, new long[HashIndex.USUAL_CANDIDATES], probe);
    boolean inserted = index.insert(channel, allocator, lotusKey, cvt, probe);
    channel.release(mark);
    return inserted;
  }

  /** Whether a lookup gives the CVT among its candidates. */
  static boolean finds(HashIndex index, Channel channel, long lotusKey, long cvt) {
    long[] out = new long[HashIndex.USUAL_CANDIDATES];
    int count = index.lookup(channel, lotusKey, out);
    if (count > out.length) {
      out = new long[count];
      count = index.lookup(channel, lotusKey, out);
    }
    for (int i = 0; i < count; i++) {
      if (out[i] == cvt) {
        return true;
      }
    }
    return false;
  }

  static long word(Channel channel, long address) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(address, offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(JAVA_LONG, offset);
  }

  @Override
  public void close() {
    allocator.close();
    channel.close();
    fabric.close();
  }
}
