package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Digests by which two memory nodes find out whether they have the same bytes, without sending
 * them.
 *
 * <p>A digest is NH of UMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway, 1999) on words of 64 bits,
 * computed twice, the second time with the key shifted by a pair of words. For any two different
 * windows of one length, the digests are equal with probability 2<sup>-128</sup> over the keys. A
 * key is drawn for each comparison, so contents cannot be chosen to collide. The digest therefore
 * need not be a cryptographic hash, which takes several times as long. The key of a window's length
 * is derived from 128 bits by SHA-256.
 *
 * <p>For one thread.
 */
public final class WindowDigest {
  /** Bytes of a digest. */
  public static final int LENGTH = 4 * Long.BYTES;

  /** Bytes of the longest window. */
  public static final int WINDOW_BYTES_MAX = 64 << 10;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** One word for each word of a window, and a pair more for the second pass. */
  private static final int KEY_WORDS = WINDOW_BYTES_MAX / Long.BYTES + 2;

  /** Words of a block of the key; a block is one SHA-256 digest. */
  private static final int BLOCK_WORDS = 4;

  private static final int PAIR_BYTES = 2 * Long.BYTES;

  private long[] key = {};

  private int keyWords;

  private long first;
  private long second;

  /**
   * Writes the digest of a window.
   *
   * @param keyFirst first half of the key; digests that are compared have the same key
   * @param keySecond second half of the key
   * @param length at most {@link #WINDOW_BYTES_MAX}
   * @param to segment that receives {@link #LENGTH} bytes, at offset {@code place}
   */
  public void put(
      long keyFirst,
      long keySecond,
      MemorySegment from,
      long offset,
      int length,
      MemorySegment to,
      long place) {
    if (length < 0 || length > WINDOW_BYTES_MAX) {
      throw new IllegalArgumentException("cannot compare an empty window length=" + length);
    }
    int whole = length & -PAIR_BYTES;
    setKey(keyFirst, keySecond, whole / Long.BYTES + 4);
    long low = 0;
    long high = 0;
    long secondLow = 0;
    long secondHigh = 0;
    for (int at = 0; at < whole; at += PAIR_BYTES) {
      long a = from.get(WORD, offset + at);
      long b = from.get(WORD, offset + at + Long.BYTES);
      int word = at / Long.BYTES;
      long left = a + key[word];
      long right = b + key[word + 1];
      long product = left * right;
      low += product;
      high += Math.unsignedMultiplyHigh(left, right) + carry(product, low);
      left = a + key[word + 2];
      right = b + key[word + 3];
      product = left * right;
      secondLow += product;
      secondHigh += Math.unsignedMultiplyHigh(left, right) + carry(product, secondLow);
    }
    if (whole < length) {
      long a = word(from, offset, whole, length);
      long b = word(from, offset, whole + Long.BYTES, length);
      int word = whole / Long.BYTES;
      long left = a + key[word];
      long right = b + key[word + 1];
      low += left * right;
      high += Math.unsignedMultiplyHigh(left, right) + carry(left * right, low);
      left = a + key[word + 2];
      right = b + key[word + 3];
      secondLow += left * right;
      secondHigh += Math.unsignedMultiplyHigh(left, right) + carry(left * right, secondLow);
    }
    to.set(WORD, place, low);
    to.set(WORD, place + Long.BYTES, high);
    to.set(WORD, place + 2 * Long.BYTES, secondLow);
    to.set(WORD, place + 3 * Long.BYTES, secondHigh);
  }

  /** Returns 1 if a sum overflowed: it is less than the number that was added, both unsigned. */
  private static long carry(long added, long sum) {
    return ((~sum & added) | ((~sum | added) & (sum - added))) >>> Long.SIZE - 1;
  }

  private static long word(MemorySegment from, long offset, int at, int length) {
    long word = 0;
    for (int i = 0; i < Long.BYTES && at + i < length; i++) {
      long one = from.get(ValueLayout.JAVA_BYTE, offset + at + i) & 0xFF;
      word |= one << i * Byte.SIZE;
    }
    return word;
  }

  private void setKey(long keyFirst, long keySecond, int words) {
    if (first != keyFirst || second != keySecond) {
      first = keyFirst;
      second = keySecond;
      keyWords = 0;
    }
    if (keyWords < Math.min(words, KEY_WORDS)) {
      lengthenKey(Math.min(words, KEY_WORDS));
    }
  }

  /** Each block depends on its number only, not on earlier calls. */
  private void lengthenKey(int words) {
    key = Arrays.copyOf(key, Math.max(words, key.length));
    MessageDigest sha = sha();
    ByteBuffer block = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    block.putLong(first).putLong(second);
    keyWords -= keyWords % BLOCK_WORDS; // derive a partial block again
    while (keyWords < words) {
      block.putLong(2 * Long.BYTES, keyWords).rewind();
      sha.update(block);
      ByteBuffer digest = ByteBuffer.wrap(sha.digest()).order(ByteOrder.LITTLE_ENDIAN);
      while (digest.hasRemaining() && keyWords < words) {
        key[keyWords++] = digest.getLong();
      }
    }
  }

  private static MessageDigest sha() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
