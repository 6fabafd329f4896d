package org.nelumbo.executor.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
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
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class RowWriterTest {
  /** A table, a row of it, and another row, some columns of which are assigned. */
  record Case(TableSchema table, List<Object> row, List<Object> other, List<Boolean> assigned) {}

  @Provide
  Arbitrary<Case> cases() {
    return RawValues.types().list().ofMinSize(2).ofMaxSize(9).flatMap(RowWriterTest::casesOf);
  }

  private static Arbitrary<Case> casesOf(List<ColumnType> types) {
    return Arbitraries.shuffle(range(types.size()))
        .flatMap(
            order ->
                Arbitraries.integers()
                    .between(1, types.size() - 1)
                    .flatMap(keys -> casesOf(table(types, order.subList(0, keys)))));
  }

  private static List<Integer> range(int size) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  private static TableSchema table(List<ColumnType> types, List<Integer> key) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      ColumnType type = key.contains(i) ? types.get(i).withNullable(false) : types.get(i);
      columns.add(new Column("c" + i, type));
    }
    int[] ordinals = key.stream().mapToInt(i -> i).toArray();
    return new TableSchema(7, "t", columns, ordinals, ordinals[0], 2, true, List.of());
  }

  private static Arbitrary<Case> casesOf(TableSchema table) {
    List<Arbitrary<Object>> values =
        table.columns().stream().map(c -> RawValues.values(c.type())).toList();
    Arbitrary<List<Object>> rows = Combinators.combine(values).as(ArrayList::new);
    Arbitrary<List<Boolean>> assigned =
        Arbitraries.of(true, false).list().ofSize(table.columnCount());
    return Combinators.combine(rows, rows, assigned).as((a, b, c) -> new Case(table, a, b, c));
  }

  private static void set(RowWriter writer, TableSchema table, int column, Object value) {
    if (value == null) {
      writer.setNull(column);
    } else if (table.column(column).type().isLong()) {
      writer.setLong(column, (long) value);
    } else {
      writer.setObject(column, value);
    }
  }

  private static void write(RowWriter writer, TableSchema table, List<Object> row) {
    writer.begin();
    for (int i = 0; i < row.size(); i++) {
      set(writer, table, i, row.get(i));
    }
  }

  private static Object read(RowLayout layout, RowBuffer image, int column) {
    if (layout.isNull(image.bytes, image.offset, column)) {
      return null;
    }
    return layout.type(column).isLong()
        ? (Object) layout.getLong(image.bytes, image.offset, column)
        : layout.getObject(image.bytes, image.offset, column);
  }

  private static void assertRow(RowLayout layout, List<Object> expected, RowBuffer image) {
    for (int i = 0; i < expected.size(); i++) {
      Object value = read(layout, image, i);
      int column = i;
      assertTrue(
          RawValues.same(expected.get(i), value),
          () -> layout.type(column) + " " + expected.get(column) + " read as " + value);
    }
  }

  /** Returns a copy in the middle of another array, as rows are in a staging buffer. */
  private static RowBuffer moved(RowBuffer image) {
    byte[] bytes = new byte[image.length + 24];
    Arrays.fill(bytes, (byte) 0x5A);
    System.arraycopy(image.bytes, image.offset, bytes, 13, image.length);
    RowBuffer copy = new RowBuffer();
    copy.wrap(bytes, 13, image.length);
    return copy;
  }

  @Property(seed = "1", tries = 1500, edgeCases = EdgeCasesMode.NONE)
  void shouldReadBackEveryColumn(@ForAll("cases") Case c) {
    RowLayout layout = new RowLayout(c.table);
    RowWriter writer = new RowWriter(layout);
    KeyBuffer key = new KeyBuffer();
    RowBuffer image = new RowBuffer();
    write(writer, c.table, c.row);
    writer.finish(key, image);
    RowBuffer copy = moved(image);
    assertRow(layout, c.row, copy);
    assertEquals(key.length, layout.keyLength(copy.bytes, copy.offset));
    assertTrue(
        Arrays.equals(key.bytes, 0, key.length, copy.bytes, copy.offset, copy.offset + key.length));
    assertEquals(layout.lotusKey(key.bytes, 0, key.length), key.lotusKey);
  }

  @Property(seed = "1", tries = 1500, edgeCases = EdgeCasesMode.NONE)
  void shouldChangeOnlyAssignedColumns(@ForAll("cases") Case c) {
    RowLayout layout = new RowLayout(c.table);
    RowWriter writer = new RowWriter(layout);
    KeyBuffer key = new KeyBuffer();
    RowBuffer image = new RowBuffer();
    write(writer, c.table, c.row);
    writer.finish(key, image);
    RowBuffer source = moved(image);
    List<Object> expected = new ArrayList<>(c.row);
    boolean keyChanged = false;
    writer.beginFrom(source.bytes, source.offset, source.length);
    for (int i = 0; i < expected.size(); i++) {
      if (c.assigned.get(i)) {
        boolean inKey = c.table.primaryKeyPosition(i) >= 0;
        keyChanged |= inKey && !sameKey(c.table.column(i).type(), expected.get(i), c.other.get(i));
        expected.set(i, c.other.get(i));
        set(writer, c.table, i, c.other.get(i));
      }
    }
    writer.finish(key, image);
    assertRow(layout, expected, moved(image));
    assertEquals(keyChanged, writer.keyChanged());
    RowWriter fresh = new RowWriter(layout);
    RowBuffer built = new RowBuffer();
    write(fresh, c.table, expected);
    fresh.finish(key, built);
    assertTrue(
        Arrays.equals(
            built.bytes, 0, built.length, image.bytes, image.offset, image.offset + image.length));
  }

  private static boolean sameKey(ColumnType type, Object left, Object right) {
    return RawValues.compare(type, left, right) == 0;
  }

  @Property(seed = "1", tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void shouldBuildTheSameIndexKeyAsTheValuesDo(
      @ForAll("cases") Case c, @ForAll boolean descending) {
    RowLayout layout = new RowLayout(c.table);
    RowWriter writer = new RowWriter(layout);
    KeyBuffer key = new KeyBuffer();
    RowBuffer image = new RowBuffer();
    write(writer, c.table, c.row);
    writer.finish(key, image);
    int[] columns = {c.table.columnCount() - 1, 0};
    IndexSchema index =
        new IndexSchema(9, "i", false, columns, new boolean[] {descending, !descending});
    IndexKeyEncoder encoder = new IndexKeyEncoder(c.table, index);
    KeyBuffer entry = new KeyBuffer();
    RowBuffer copy = moved(image);
    int prefix = encoder.build(copy, entry);
    KeyBuffer expected = new KeyBuffer();
    RawValues.append(expected, layout.type(columns[0]), descending, c.row.get(columns[0]));
    RawValues.append(expected, layout.type(0), !descending, c.row.get(0));
    assertEquals(expected.length, prefix);
    expected.append(key.bytes, 0, key.length);
    assertTrue(Arrays.equals(expected.bytes, 0, expected.length, entry.bytes, 0, entry.length));
    assertEquals(prefix, encoder.prefixLength(entry));
    boolean hasNull = c.row.get(columns[0]) == null || c.row.get(0) == null;
    assertEquals(hasNull, encoder.hasNull(copy.bytes, copy.offset));
    assertTrue(encoder.matches(entry.bytes, 0, entry.length, copy, new KeyBuffer()));
  }

  private static final TableSchema ITEMS =
      new TableSchema(
          1,
          "items",
          List.of(
              new Column("id", ColumnType.of(Kind.INTEGER)),
              new Column("name", ColumnType.of(Kind.VARCHAR, 5).orNull()),
              new Column("price", ColumnType.decimal(5, 2)),
              new Column("code", ColumnType.of(Kind.CHAR, 3).orNull()),
              new Column("big", ColumnType.decimal(20, 0).orNull()),
              new Column("data", ColumnType.of(Kind.VARCHAR).orNull())),
          new int[] {0},
          0,
          2,
          true,
          List.of());

  private final RowWriter items = new RowWriter(new RowLayout(ITEMS));

  private static void assertFails(ErrorCode code, String column, Runnable action) {
    NelumboException e = assertThrows(NelumboException.class, action::run);
    assertEquals(code, e.code());
    assertTrue(e.getMessage().contains(column), e.getMessage());
  }

  @Test
  void shouldRejectTextThatIsTooLong() {
    items.begin();
    assertFails(ErrorCode.STRING_TOO_LONG, "items.name", () -> items.setObject(1, "sixsix"));
  }

  @Test
  void shouldCutOffBlanksThatAreTooMany() {
    items.begin();
    items.setLong(0, 1);
    items.setLong(2, 1);
    items.setObject(1, "fives   ");
    RowBuffer image = new RowBuffer();
    items.finish(new KeyBuffer(), image);
    assertEquals("fives", new RowLayout(ITEMS).getString(image.bytes, image.offset, 1));
  }

  @Test
  void shouldCountCharactersNotChars() {
    items.begin();
    items.setObject(1, "\ud83d\ude00".repeat(5));
    assertFails(
        ErrorCode.STRING_TOO_LONG,
        "items.name",
        () -> items.setObject(1, "\ud83d\ude00".repeat(6)));
  }

  @Test
  void shouldRejectNumbersOutOfRange() {
    items.begin();
    assertFails(ErrorCode.NUMBER_OUT_OF_RANGE, "items.id", () -> items.setLong(0, 1L << 31));
    assertFails(ErrorCode.NUMBER_OUT_OF_RANGE, "items.price", () -> items.setLong(2, 100_000));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        "items.big",
        () -> items.setObject(4, new BigDecimal("1e20").setScale(0)));
  }

  @Test
  void shouldRejectNullInNotNullColumns() {
    items.begin();
    assertFails(ErrorCode.NOT_NULL_VIOLATION, "items.price", () -> items.setNull(2));
    items.setLong(0, 1);
    assertFails(
        ErrorCode.NOT_NULL_VIOLATION,
        "items.price",
        () -> items.finish(new KeyBuffer(), new RowBuffer()));
    items.begin();
    items.setLong(2, 1);
    assertFails(
        ErrorCode.NOT_NULL_VIOLATION,
        "items.id",
        () -> items.finish(new KeyBuffer(), new RowBuffer()));
  }

  @Test
  void shouldRejectRowsThatAreTooLong() {
    items.begin();
    items.setLong(0, 1);
    items.setLong(2, 1);
    items.setObject(5, "x".repeat(RowLayout.MAX_ROW_BYTES));
    assertFails(
        ErrorCode.LIMIT_EXCEEDED, "items", () -> items.finish(new KeyBuffer(), new RowBuffer()));
  }

  @Test
  void shouldRejectHalfASurrogatePair() {
    items.begin();
    items.setLong(0, 1);
    items.setLong(2, 1);
    items.setObject(1, "a\ud83d");
    assertFails(
        ErrorCode.BAD_CHARACTER, "surrogate", () -> items.finish(new KeyBuffer(), new RowBuffer()));
  }

  @Test
  void shouldStoreLargeTextBeyondTwoByteOffsets() {
    String large = "y".repeat(200_000);
    items.begin();
    items.setLong(0, 1);
    items.setLong(2, 1);
    items.setObject(1, "ab");
    items.setObject(5, large);
    RowBuffer image = new RowBuffer();
    items.finish(new KeyBuffer(), image);
    RowLayout layout = new RowLayout(ITEMS);
    assertEquals(large, layout.getString(image.bytes, image.offset, 5));
    assertEquals("ab", layout.getString(image.bytes, image.offset, 1));
    assertFalse(layout.isNull(image.bytes, image.offset, 5));
  }
}
