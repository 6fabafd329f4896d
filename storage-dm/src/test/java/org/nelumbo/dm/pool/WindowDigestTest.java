package org.nelumbo.dm.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowDigestTest {
  private static final BigInteger WORDS = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger SUMS = BigInteger.ONE.shiftLeft(128);

  private final WindowDigest digest = new WindowDigest();
  private final Random random = new Random(1);

  private byte[] of(long first, long second, byte[] window) {
    byte[] result = new byte[WindowDigest.LENGTH];
    MemorySegment from = MemorySegment.ofArray(window);
    digest.put(first, second, from, 0, window.length, MemorySegment.ofArray(result), 0);
    return result;
  }

  private byte[] window(int length) {
    byte[] window = new byte[length];
    random.nextBytes(window);
    return window;
  }

  /** Computes the digest according to its definition, with big integers. */
  private static byte[] byDefinition(long first, long second, byte[] window)
      throws NoSuchAlgorithmException {
    ByteBuffer result = ByteBuffer.allocate(WindowDigest.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    for (int shift = 0; shift <= 2; shift += 2) {
      BigInteger sum = BigInteger.ZERO;
      for (int word = 0; word < (window.length + 7) / 8; word += 2) {
        BigInteger left = word(window, word).add(key(first, second, word + shift)).mod(WORDS);
        BigInteger right =
            word(window, word + 1).add(key(first, second, word + 1 + shift)).mod(WORDS);
        sum = sum.add(left.multiply(right)).mod(SUMS);
      }
      result.putLong(sum.longValue()).putLong(sum.shiftRight(64).longValue());
    }
    return result.array();
  }

  private static BigInteger word(byte[] window, int word) {
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    int from = Math.min(8 * word, window.length);
    bytes.put(window, from, Math.min(8, window.length - from));
    return new BigInteger(Long.toUnsignedString(bytes.getLong(0)));
  }

  private static BigInteger key(long first, long second, int word) throws NoSuchAlgorithmException {
    ByteBuffer seed = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    seed.putLong(first).putLong(second).putLong(word & -4);
    byte[] block = MessageDigest.getInstance("SHA-256").digest(seed.array());
    long value = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getLong(8 * (word & 3));
    return new BigInteger(Long.toUnsignedString(value));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16, 17, 24, 40, 4096, 4100, 64 << 10})
  void shouldMatchDefinition(int length) throws NoSuchAlgorithmException {
    for (int i = 0; i < 3; i++) {
      byte[] window = window(length);
      long first = random.nextLong();
      long second = random.nextLong();
      assertArrayEquals(byDefinition(first, second, window), of(first, second, window));
    }
    byte[] ones = new byte[length];
    Arrays.fill(ones, (byte) -1);
    assertArrayEquals(byDefinition(3, 4, ones), of(3, 4, ones));
  }

  @Test
  void shouldDifferByEachBit() {
    byte[] window = window(515);
    byte[] before = of(1, 2, window);
    for (int bit = 0; bit < 8 * window.length; bit++) {
      window[bit / 8] ^= (byte) (1 << bit % 8);
      assertFalse(Arrays.equals(before, of(1, 2, window)), "bit=" + bit);
      window[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertArrayEquals(before, of(1, 2, window));
  }

  @Test
  void shouldDifferByTheOrderOfWordsAndByTheKey() {
    byte[] window = window(64);
    byte[] turned = window.clone();
    System.arraycopy(window, 0, turned, 8, 8);
    System.arraycopy(window, 8, turned, 0, 8);
    assertFalse(Arrays.equals(of(1, 2, window), of(1, 2, turned)));
    assertFalse(Arrays.equals(of(1, 2, window), of(1, 3, window)));
    assertFalse(Arrays.equals(of(1, 2, window), of(2, 2, window)));
  }

  @Test
  void shouldDigestPartOfSegment() {
    byte[] bytes = window(300);
    byte[] result = new byte[100];
    MemorySegment to = MemorySegment.ofArray(result);
    digest.put(5, 6, MemorySegment.ofArray(bytes), 33, 200, to, 40);
    byte[] part = Arrays.copyOfRange(bytes, 33, 233);
    assertArrayEquals(of(5, 6, part), Arrays.copyOfRange(result, 40, 72));
    assertEquals(0, result[39]);
    assertEquals(0, result[72]);
  }

  @Test
  void shouldRejectTooLongWindow() {
    byte[] window = new byte[WindowDigest.WINDOW_BYTES_MAX + 1];
    assertThrows(IllegalArgumentException.class, () -> of(1, 2, window));
  }
}
