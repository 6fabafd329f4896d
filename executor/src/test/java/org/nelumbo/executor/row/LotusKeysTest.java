package org.nelumbo.executor.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class LotusKeysTest {
  private static RowLayout layout(int storeId, Kind... keyKinds) {
    Column[] columns = new Column[keyKinds.length];
    int[] key = new int[keyKinds.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new Column("k" + i, ColumnType.of(keyKinds[i]));
      key[i] = i;
    }
    return new RowLayout(
        new TableSchema(storeId, "t", List.of(columns), key, 0, 2, true, List.of()));
  }

  private static long key(RowLayout layout, Object... values) {
    KeyBuffer key = new KeyBuffer();
    for (int i = 0; i < values.length; i++) {
      RawValues.append(key, layout.keyFormat().type(i), false, values[i]);
    }
    layout.finishKey(key);
    return key.lotusKey;
  }

  @Property(seed = "1")
  void shouldDeriveShardFromIntegerCriticalField(@ForAll int critical, @ForAll long other) {
    RowLayout layout = layout(1, Kind.INTEGER, Kind.BIGINT);
    assertEquals(critical & 4095, LotusKeys.shard(key(layout, (long) critical, other)));
  }

  @Property(seed = "1")
  void shouldPutRowsOfTwoTablesWithOneCriticalTextIntoOneShard(
      @ForAll String critical, @ForAll long other) {
    String text =
        critical
            .codePoints()
            .filter(c -> c < 0xD800)
            .limit(20)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    long first = key(layout(1, Kind.VARCHAR), text);
    long second = key(layout(2, Kind.VARCHAR, Kind.BIGINT), text, other);
    assertEquals(LotusKeys.shard(first), LotusKeys.shard(second));
  }

  @Test
  void shouldNeverBeZero() {
    assertEquals(4096, LotusKeys.of(0, 0));
    assertEquals(4096, LotusKeys.of(4095, 0));
    assertEquals(7, LotusKeys.of(0, 7));
  }

  @Test
  void shouldDependOnTheTable() {
    assertNotEquals(key(layout(1, Kind.BIGINT), 5L), key(layout(2, Kind.BIGINT), 5L));
  }

  @Test
  void shouldSpreadSequentialKeysEvenly() {
    RowLayout layout = layout(3, Kind.INTEGER, Kind.INTEGER);
    int buckets = 1024;
    int[] counts = new int[buckets];
    int[] highCounts = new int[buckets];
    Set<Long> distinct = new HashSet<>();
    int keys = 0;
    for (long warehouse = 1; warehouse <= 10; warehouse++) {
      for (long id = 1; id <= 10_000; id++) {
        long key = key(layout, warehouse, id);
        distinct.add(key);
        counts[(int) (key >>> 12) & (buckets - 1)]++;
        highCounts[(int) (key >>> 54)]++;
        keys++;
      }
    }
    assertEquals(keys, distinct.size());
    assertTrue(chiSquare(counts, keys) < 1250, "low bits chi=" + chiSquare(counts, keys));
    assertTrue(chiSquare(highCounts, keys) < 1250, "high bits chi=" + chiSquare(highCounts, keys));
  }

  private static double chiSquare(int[] counts, int total) {
    double expected = (double) total / counts.length;
    double sum = 0;
    for (int count : counts) {
      sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
  }

  @Test
  void shouldChangeHalfOfTheBitsWhenOneBitOfTheInputChanges() {
    byte[] input = "nelumbo nucifera 123".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    long base = LotusKeys.hash(1, input, 0, input.length);
    int flips = 0;
    for (int bit = 0; bit < input.length * 8; bit++) {
      input[bit / 8] ^= (byte) (1 << bit % 8);
      flips += Long.bitCount(base ^ LotusKeys.hash(1, input, 0, input.length));
      input[bit / 8] ^= (byte) (1 << bit % 8);
    }
    double average = flips / (input.length * 8.0);
    assertTrue(average > 30 && average < 34, "average=" + average);
  }
}
