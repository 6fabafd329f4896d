package org.nelumbo.executor.row;

import org.nelumbo.dm.alloc.PartitionMap;
import org.nelumbo.types.Bytes;

/**
 * Computes LOTUS keys (LOTUS section 4.2). The low 12 bits come from the critical field and
 * identify the shard; the other 52 bits are a hash of the table id and the normalized primary key.
 * A LOTUS key is never 0. Rows of different tables with the same critical field are in the same
 * shard.
 */
public final class LotusKeys {
  /** Number of shards. */
  public static final int SHARDS = PartitionMap.SHARDS;

  private static final long SHARD_MASK = SHARDS - 1;
  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final long STEP = 0xA0761D6478BD642FL;
  private static final long LAST = 0xE7037ED1A0B428DBL;

  private LotusKeys() {}

  /**
   * Returns the LOTUS key of a row.
   *
   * @param hash hash of the table id and the primary key
   * @param shard value whose low bits identify the shard, derived from the critical field
   */
  public static long of(long hash, long shard) {
    long key = hash & ~SHARD_MASK | shard & SHARD_MASK;
    return key != 0 ? key : SHARDS;
  }

  /** Returns the shard of a LOTUS key, 0 to 4095. */
  public static int shard(long lotusKey) {
    return PartitionMap.shard(lotusKey);
  }

  /** Returns a strong 64-bit hash of bytes. Not a cryptographic hash. */
  public static long hash(long seed, byte[] bytes, int offset, int length) {
    long hash = (seed + 1) * SEED;
    int at = offset;
    int left = length;
    for (; left >= 8; left -= 8, at += 8) {
      hash = fold(hash ^ Bytes.longLe(bytes, at), STEP);
    }
    long tail = 0;
    for (int i = 0; i < left; i++) {
      tail |= (bytes[at + i] & 0xFFL) << (8 * i);
    }
    hash = fold(hash ^ tail ^ SEED, STEP);
    return fold(hash ^ length, LAST);
  }

  private static long fold(long a, long b) {
    return a * b ^ Math.unsignedMultiplyHigh(a, b);
  }
}
