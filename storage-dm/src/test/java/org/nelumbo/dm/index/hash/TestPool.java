package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.IndexPool;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;

/** A pool with methods that create CVTs for a hash index. */
final class TestPool extends IndexPool {
  private static final int CVT = SizeClass.of(16);

  TestPool(int nodes, long nodeBytes) {
    super(nodes, nodeBytes);
  }

  HashIndex create() {
    return open(HashIndex.create(channel, allocator), 1);
  }

  HashIndex open(long root, int owner) {
    return new HashIndex(environment, root, _ -> clock.get(), owner);
  }

  long cvt(long lotusKey) {
    return cvt(channel, allocator, lotusKey);
  }

  /**
   * Allocates a CVT and writes its first word, the only one that the index reads. Returns 0 if the
   * pool is exhausted.
   */
  static long cvt(Channel channel, PoolAllocator allocator, long lotusKey) {
    long cvt = allocator.allocate(CVT);
    if (cvt != 0) {
      channel.writeLong(cvt, lotusKey);
    }
    return cvt;
  }

  /** Inserts with the result of a preceding lookup, as transactions do. */
  static boolean insertAfterLookup(
      HashIndex index, Channel channel, PoolAllocator allocator, long lotusKey, long cvt) {
    HashProbe probe = new HashProbe();
    int mark = channel.mark();
    index.lookupForInsert(channel, lotusKey, new long[HashIndex.USUAL_CANDIDATES], probe);
    boolean inserted = index.insert(channel, allocator, lotusKey, cvt, probe);
    channel.release(mark);
    return inserted;
  }

  /** Returns true if the CVT is among the candidates of a lookup. */
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
}
