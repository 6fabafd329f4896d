package org.nelumbo.executor.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class KeyEncoderTest {
  /** The columns of a composite key, and two rows of values for them. */
  record Pair(
      List<ColumnType> types, List<Boolean> descending, List<Object> left, List<Object> right) {}

  @Provide
  Arbitrary<Pair> pairs() {
    return RawValues.types().list().ofMinSize(1).ofMaxSize(4).flatMap(KeyEncoderTest::pairsOf);
  }

  private static Arbitrary<Pair> pairsOf(List<ColumnType> types) {
    Arbitrary<List<Boolean>> directions = Arbitraries.of(true, false).list().ofSize(types.size());
    return Combinators.combine(
            directions, row(types), row(types), Arbitraries.integers().between(0, types.size()))
        .as(
            (descending, left, right, shared) -> {
              List<Object> second = new ArrayList<>(right);
              for (int i = 0; i < shared; i++) {
                second.set(i, left.get(i));
              }
              return new Pair(types, descending, left, second);
            });
  }

  private static Arbitrary<List<Object>> row(List<ColumnType> types) {
    List<Arbitrary<Object>> columns = types.stream().map(RawValues::values).toList();
    return Combinators.combine(columns).as(ArrayList::new);
  }

  private static KeyBuffer encode(Pair pair, List<Object> row) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < row.size(); i++) {
      RawValues.append(key, pair.types.get(i), pair.descending.get(i), row.get(i));
    }
    return key;
  }

  private static int expectedOrder(Pair pair) {
    for (int i = 0; i < pair.types.size(); i++) {
      int order = RawValues.compare(pair.types.get(i), pair.left.get(i), pair.right.get(i));
      if (order != 0) {
        return pair.descending.get(i) ? -order : order;
      }
    }
    return 0;
  }

  @Property(seed = "1", tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void shouldOrderKeysAsTheirValues(@ForAll("pairs") Pair pair) {
    KeyBuffer left = encode(pair, pair.left);
    KeyBuffer right = encode(pair, pair.right);
    int order = Arrays.compareUnsigned(left.bytes, 0, left.length, right.bytes, 0, right.length);
    assertEquals(Integer.signum(expectedOrder(pair)), Integer.signum(order));
  }

  @Property(seed = "1", tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void shouldDecodeEncodedKeys(@ForAll("pairs") Pair pair) {
    KeyBuffer key = encode(pair, pair.left);
    int at = 0;
    for (int i = 0; i < pair.types.size(); i++) {
      ColumnType type = pair.types.get(i);
      boolean descending = pair.descending.get(i);
      Object value = RawValues.decode(key.bytes, at, type, descending);
      assertTrue(RawValues.same(pair.left.get(i), value), () -> type + " " + value);
      at = KeyEncoder.skip(key.bytes, at, type, descending);
    }
    assertEquals(key.length, at);
  }

  @Property(seed = "1", tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void shouldPutThePrefixSuccessorBehindAllKeysWithThePrefixAndBeforeTheNext(
      @ForAll("pairs") Pair pair) {
    KeyBuffer prefix = new KeyBuffer();
    RawValues.append(prefix, pair.types.get(0), pair.descending.get(0), pair.left.get(0));
    KeyBuffer successor = new KeyBuffer();
    successor.copyFrom(prefix);
    boolean exists = KeyEncoder.toPrefixSuccessor(successor);
    KeyBuffer other = encode(pair, pair.right);
    boolean startsWith =
        other.length >= prefix.length
            && Arrays.equals(other.bytes, 0, prefix.length, prefix.bytes, 0, prefix.length);
    boolean behindPrefix = compare(other, prefix) >= 0;
    boolean beforeSuccessor = !exists || compare(other, successor) < 0;
    assertEquals(startsWith, behindPrefix && beforeSuccessor);
  }

  private static int compare(KeyBuffer left, KeyBuffer right) {
    return Arrays.compareUnsigned(left.bytes, 0, left.length, right.bytes, 0, right.length);
  }

  @Test
  void shouldFindNoPrefixSuccessorOfAllOnes() {
    KeyBuffer key = new KeyBuffer();
    key.append(new byte[] {-1, -1}, 0, 2);
    assertFalse(KeyEncoder.toPrefixSuccessor(key));
    assertEquals(0, key.length);
  }

  @Test
  void shouldRecognizePrefixSuccessorOfEveryTwoByteKey() {
    KeyBuffer key = new KeyBuffer();
    KeyBuffer next = new KeyBuffer();
    for (int value = 0; value < 1 << 16; value++) {
      key.clear();
      key.append(new byte[] {(byte) (value >> 8), (byte) value}, 0, 2);
      next.copyFrom(key);
      KeyEncoder.toPrefixSuccessor(next);
      assertTrue(KeyEncoder.isPrefixSuccessor(key, next));
      assertFalse(KeyEncoder.isPrefixSuccessor(key, key));
      next.append(new byte[1], 0, 1);
      assertFalse(KeyEncoder.isPrefixSuccessor(key, next));
    }
  }

  @Test
  void shouldTreatNegativeZeroAsZero() {
    KeyBuffer zero = new KeyBuffer();
    KeyBuffer negative = new KeyBuffer();
    ColumnType type = ColumnType.of(Kind.DOUBLE);
    KeyEncoder.appendLong(zero, type, false, Double.doubleToRawLongBits(0.0));
    KeyEncoder.appendLong(negative, type, false, Double.doubleToRawLongBits(-0.0));
    assertEquals(0, compare(zero, negative));
  }

  @Test
  void shouldIgnoreTrailingBlanksOfCharOnly() {
    KeyBuffer plain = new KeyBuffer();
    KeyBuffer padded = new KeyBuffer();
    KeyEncoder.appendObject(plain, ColumnType.of(Kind.CHAR, 5), false, "ab");
    KeyEncoder.appendObject(padded, ColumnType.of(Kind.CHAR, 5), false, "ab   ");
    assertEquals(0, compare(plain, padded));
    plain.clear();
    padded.clear();
    KeyEncoder.appendObject(plain, ColumnType.of(Kind.VARCHAR, 5), false, "ab");
    KeyEncoder.appendObject(padded, ColumnType.of(Kind.VARCHAR, 5), false, "ab ");
    assertTrue(compare(plain, padded) < 0);
  }

  @Test
  void shouldOrderTextsByCharacterAtAnyPosition() {
    for (int length = 1; length <= 18; length++) {
      for (int at = 0; at < length; at++) {
        orderByCharacter("b".repeat(at), "b".repeat(length - at - 1));
      }
    }
  }

  private static void orderByCharacter(String before, String after) {
    ColumnType type = ColumnType.of(Kind.VARCHAR);
    KeyBuffer last = new KeyBuffer();
    for (int c : new int[] {0, 1, 2, 'a', 0x7f, 0x80, 0xe9, 0x101, 0xd7ff}) {
      KeyBuffer key = new KeyBuffer();
      String text = before + (char) c + after;
      KeyEncoder.appendObject(key, type, false, text);
      assertEquals(text, KeyEncoder.objectAt(key.bytes, 0, type, false));
      assertTrue(compare(last, key) < 0, () -> "character " + c + " behind '" + before + "'");
      last = key;
    }
  }
}
