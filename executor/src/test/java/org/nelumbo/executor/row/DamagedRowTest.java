package org.nelumbo.executor.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.Bytes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;

/**
 * Tests rows and index keys of arbitrary bytes. Each column has a value, or the row is reported as
 * damaged; no byte outside the array is read, and no more memory is allocated than the bytes
 * account for. {@link FuzzSeeds} documents longer runs and runs of one seed.
 */
class DamagedRowTest {
  private static final int ROWS = 200;
  private static final int AROUND = 24;
  private static final int[] SPECIAL = {0, 1, 2, 0x7F, 0x80, 0xC0, 0xFE, 0xFF};

  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldReadOrRefuseAnyBytes() throws Exception {
    FuzzSeeds.run("two-hundred-rows", 1, DamagedRowTest::runSeed);
  }

  private static void runSeed(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Table table = new Table(random);
    for (int i = 0; i < ROWS; i++) {
      table.tryRow();
    }
  }

  /** A table of random columns, and the readers of its rows. */
  private static final class Table {
    private final SplittableRandom random;
    private final TableSchema schema;
    private final RowLayout layout;
    private final RowWriter writer;
    private final IndexKeyEncoder encoder;
    private final KeyBuffer key = new KeyBuffer();
    private final RowBuffer image = new RowBuffer();

    Table(SplittableRandom random) {
      this.random = random;
      int count = 2 + random.nextInt(8);
      int keys = 1 + random.nextInt(count - 1);
      List<Column> columns = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ColumnType type = RawValues.TYPES.get(random.nextInt(RawValues.TYPES.size()));
        columns.add(new Column("c" + i, type.withNullable(i >= keys && random.nextBoolean())));
      }
      int[] primaryKey = new int[keys];
      Arrays.setAll(primaryKey, i -> (i + 1) % keys);
      schema = new TableSchema(7, "t", columns, primaryKey, primaryKey[0], 2, true, List.of());
      layout = new RowLayout(schema);
      writer = new RowWriter(layout);
      int[] indexed = {count - 1, random.nextInt(count)};
      boolean[] descending = {random.nextBoolean(), random.nextBoolean()};
      encoder = new IndexKeyEncoder(layout, new IndexSchema(9, "i", false, indexed, descending));
    }

    void tryRow() {
      List<Object> row = schema.columns().stream().map(c -> value(c.type())).toList();
      writer.begin();
      for (int i = 0; i < row.size(); i++) {
        set(i, row.get(i));
      }
      writer.finish(key, image);
      byte[] bytes = surrounded(image.bytes, image.length);
      RowBuffer copy = new RowBuffer();
      copy.wrap(bytes, AROUND, image.length);
      for (int i = 0; i < row.size(); i++) {
        assertTrue(RawValues.same(row.get(i), read(copy, i)), schema.column(i).type().toString());
      }
      encoder.build(copy, key);
      byte[] entry = surrounded(key.bytes, key.length);
      int entryLength = key.length;

      byte[] damaged = damaged(bytes, AROUND, copy.length);
      copy.wrap(damaged, AROUND, Math.min(copy.length, damaged.length - AROUND));
      if (damaged.length - AROUND >= layout.leastImageBytes()) {
        readAll(copy);
      }
      byte[] damagedEntry = damaged(entry, AROUND, entryLength);
      int left = Math.min(entryLength, damagedEntry.length - AROUND);
      KeyBuffer entryKey = new KeyBuffer();
      entryKey.append(damagedEntry, AROUND, Math.max(0, left));
      readOrRefuse(() -> encoder.prefixLength(entryKey));
      readOrRefuse(() -> encoder.lotusKey(damagedEntry, AROUND, left));
    }

    private byte[] surrounded(byte[] source, int length) {
      byte[] bytes = new byte[length + 2 * AROUND];
      random.nextBytes(bytes);
      System.arraycopy(source, 0, bytes, AROUND, length);
      return bytes;
    }

    /** Returns a copy in which some bytes, lengths or end offsets are damaged. */
    private byte[] damaged(byte[] bytes, int from, int length) {
      byte[] damaged = bytes.clone();
      for (int i = random.nextInt(4); i >= 0 && length > 0; i--) {
        int at = from + random.nextInt(length);
        switch (random.nextInt(4)) {
          case 0 -> damaged[at] ^= (byte) (1 << random.nextInt(8));
          case 1 -> damaged[at] = (byte) SPECIAL[random.nextInt(SPECIAL.length)];
          case 2 -> Bytes.putIntLe(damaged, at, random.nextInt() >> random.nextInt(32));
          default -> random.nextBytes(damaged);
        }
      }
      int kept = from + (random.nextInt(3) == 0 ? random.nextInt(length + 1) : length);
      return random.nextBoolean() ? Arrays.copyOf(damaged, kept) : damaged;
    }

    private void readAll(RowBuffer row) {
      for (int i = 0; i < schema.columnCount(); i++) {
        int column = i;
        readOrRefuse(() -> assertFits(column, row, read(row, column)));
      }
      readOrRefuse(() -> layout.keyOf(row, key));
      readOrRefuse(() -> encoder.build(row, key));
      readOrRefuse(() -> encoder.hasNull(row.bytes, row.offset));
      readOrRefuse(
          () -> {
            writer.beginFrom(row.bytes, row.offset, row.length);
            for (int i = 0; i < schema.columnCount(); i++) {
              if (random.nextInt(3) == 0) {
                set(i, value(schema.column(i).type()));
              }
            }
            writer.finish(key, image);
          });
    }

    private static void assertFits(int column, RowBuffer row, Object value) {
      int length =
          switch (value) {
            case String text -> text.length();
            case byte[] bytes -> bytes.length;
            case null, default -> 0;
          };
      assertTrue(length <= Math.max(row.bytes.length, 12), "column=" + column + " " + length);
    }

    private static void readOrRefuse(Runnable reading) {
      try {
        reading.run();
      } catch (NelumboException e) {
        assertEquals(ErrorCode.DATA_CORRUPTED, e.code(), e::getMessage);
      }
    }

    private Object read(RowBuffer row, int column) {
      if (layout.isNull(row.bytes, row.offset, column)) {
        return null;
      }
      return layout.type(column).isLong()
          ? (Object) layout.getLong(row.bytes, row.offset, column)
          : layout.getObject(row.bytes, row.offset, column);
    }

    private void set(int column, Object value) {
      if (value == null) {
        writer.setNull(column);
      } else if (schema.column(column).type().isLong()) {
        writer.setLong(column, (long) value);
      } else {
        writer.setObject(column, value);
      }
    }

    private Object value(ColumnType type) {
      if (type.nullable() && random.nextInt(4) == 0) {
        return null;
      }
      return switch (type.kind()) {
        case BOOLEAN -> (long) random.nextInt(2);
        case TINYINT -> (long) (byte) random.nextInt();
        case SMALLINT -> (long) (short) random.nextInt();
        case INTEGER, DATE -> (long) random.nextInt();
        case TIME -> random.nextLong(86_400_000_000L);
        case REAL -> Double.doubleToRawLongBits(random.nextInt(1000) / 8.0);
        case DOUBLE -> Double.doubleToRawLongBits(random.nextDouble());
        case DECIMAL -> decimal(type);
        case NUMERIC -> numeric();
        case CHAR -> RawValues.pad(text(type.precision()), type.precision());
        case VARCHAR -> text(type.precision());
        case BINARY -> bytes(type.precision());
        case VARBINARY -> bytes(random.nextInt(type.precision() + 1));
        case UUID -> new java.util.UUID(random.nextLong(), random.nextLong());
        default -> random.nextLong();
      };
    }

    private Object decimal(ColumnType type) {
      BigInteger most = BigInteger.TEN.pow(type.precision());
      BigInteger unscaled = BigInteger.valueOf(random.nextLong()).pow(2).mod(most);
      BigInteger signed = random.nextBoolean() ? unscaled.negate() : unscaled;
      return type.isLong() ? (Object) signed.longValue() : new BigDecimal(signed, type.scale());
    }

    private Object numeric() {
      BigInteger unscaled = BigInteger.valueOf(random.nextLong()).pow(1 + random.nextInt(4));
      return Decimals.toNumeric(new BigDecimal(unscaled, random.nextInt(100)));
    }

    private String text(int most) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(most + 1); i > 0; i--) {
        text.append("ab\0\1\u00e9\u4e2d".charAt(random.nextInt(6)));
      }
      return text.toString();
    }

    private byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      if (length > 0 && random.nextBoolean()) {
        bytes[random.nextInt(length)] = (byte) random.nextInt(2);
      }
      return bytes;
    }
  }
}
