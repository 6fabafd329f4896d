package org.nelumbo.planner.catalog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Definitions are unchanged after encoding and decoding, and damaged ones are refused with a
 * message. {@link FuzzSeeds} describes longer runs and runs of a single seed.
 */
class DefinitionCodecTest {
  private static final int RUNS = 10_000;

  private static TableDefinition definition() {
    return TableDefinition.builder(7, "PUBLIC", "T")
        .storeId(9)
        .columns(
            List.of(
                new Column("A", ColumnType.of(Kind.INTEGER), null, true, false),
                new Column("B", ColumnType.of(Kind.VARCHAR, 10).orNull(), "'x'", false, false),
                new Column("C", ColumnType.decimal(10, 2), null, false, false)))
        .primaryKey(new int[] {0, 2}, "T_PK")
        .versions(2)
        .ordered(true)
        .identities(List.of(new TableDefinition.IdentityDefinition(7, 0, true, 1, 1)))
        .indexes(
            List.of(
                TableDefinition.IndexDefinition.ofIndex(
                    new IndexSchema(8, "I", true, new int[] {1}, new boolean[] {true}))))
        .checks(List.of(new TableDefinition.CheckDefinition("K", "A > 0")))
        .foreignKeys(
            List.of(
                new TableDefinition.ForeignKeyDefinition(
                    "F",
                    new int[] {1},
                    3,
                    new int[] {0},
                    ReferentialAction.CASCADE,
                    ReferentialAction.SET_NULL)))
        .generated(List.of(new TableDefinition.GeneratedDefinition(1, "UPPER('x')")))
        .comments(
            Comments.NONE
                .with(Comments.Part.OBJECT, "", "a table")
                .with(Comments.Part.COLUMN, "A", "a key")
                .with(Comments.Part.INDEX, "I", "an index"))
        .roots(4096, 8192)
        .build();
  }

  @Test
  void shouldDecodeEncodedDefinition() {
    byte[] bytes = DefinitionCodec.encode(definition());
    TableDefinition read = DefinitionCodec.decode(bytes);
    assertEquals(definition().columns(), read.columns());
    assertEquals(definition().generated(), read.generated());
    assertEquals(definition().comments(), read.comments());
    assertArrayEquals(bytes, DefinitionCodec.encode(read));
  }

  @Test
  void shouldKeepAbsenceOfHashIndex() {
    TableDefinition treeOnly = definition().toBuilder().hashed(false).roots(0, 8192).build();
    TableDefinition read = DefinitionCodec.decode(DefinitionCodec.encode(treeOnly));
    assertFalse(read.hashed());
    assertFalse(read.toSchema().hashed());
    assertTrue(DefinitionCodec.decode(DefinitionCodec.encode(definition())).hashed());
    assertTrue(TableDefinition.builder(7, "PUBLIC", "T").build().hashed(), "the default");
  }

  @Test
  void shouldRefuseTablesWithoutIndexOnTheirKey() {
    TableDefinition neither = definition().toBuilder().ordered(false).hashed(false).build();
    byte[] written = DefinitionCodec.encode(neither);
    assertThrows(NelumboException.class, () -> DefinitionCodec.decode(written));
  }

  /** Returns a definition as an older version encodes it: without the given bytes. */
  private static byte[] without(byte[] bytes, int format, int from, int to) {
    byte[] old = new byte[bytes.length - (to - from)];
    System.arraycopy(bytes, 0, old, 0, from);
    System.arraycopy(bytes, to, old, from, bytes.length - to);
    old[0] = (byte) format;
    return old;
  }

  /** Returns the encoding of format 6, in which every table has a hash index. */
  private static byte[] sixth(TableDefinition definition) {
    byte[] written = DefinitionCodec.encode(definition);
    byte[] other = DefinitionCodec.encode(definition.toBuilder().hashed(false).build());
    int flag = Arrays.mismatch(written, other);
    return without(written, 6, flag, flag + 1);
  }

  /**
   * Returns the encoding of format 5: one identity column, whose sequence the table's id
   * identified.
   */
  private static byte[] fifth(TableDefinition definition) {
    byte[] written = sixth(definition);
    byte[] none = sixth(definition.toBuilder().identities(List.of()).build());
    int count = Arrays.mismatch(written, none);
    int first = count + 1 - Integer.BYTES;
    return without(without(written, 5, count + 1, count + 1 + Integer.BYTES), 5, first, count);
  }

  @Test
  void shouldDecodeDefinitionsOfOlderVersions() {
    TableDefinition plain =
        definition()
            .withGenerated(List.of())
            .withComments(Comments.NONE)
            .withForeignKeys(List.of());
    byte[] written = DefinitionCodec.encode(plain);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(sixth(plain))));

    byte[] fifth = fifth(plain);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(fifth)));

    int roots = fifth.length - 2 * Long.BYTES;
    byte[] fourth = without(fifth, 4, roots - Integer.BYTES, roots);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(fourth)));

    byte[] third = without(fifth, 3, roots - 3 * Integer.BYTES, roots);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(third)));

    byte[] second = without(third, 2, 0, 0);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(second)));

    int storeId = 1 + Integer.BYTES;
    byte[] first = without(second, 1, storeId, storeId + Integer.BYTES);
    assertEquals(plain.id(), DefinitionCodec.decode(first).storeId());
    assertEquals(plain.columns(), DefinitionCodec.decode(first).columns());
  }

  @Test
  void shouldKeepKeysAndConditionsOfIndexes() {
    IndexSchema schema = new IndexSchema(9, "J", false, new int[] {1}, new boolean[] {false});
    TableDefinition.IndexDefinition index =
        new TableDefinition.IndexDefinition(
            schema, TableDefinition.IndexPurpose.FOREIGN_KEY, 77, "A > 0", List.of("LOWER(B)"));
    byte[] written = DefinitionCodec.encode(definition().withIndexes(List.of(index)));
    TableDefinition.IndexDefinition read = DefinitionCodec.decode(written).indexes().getFirst();
    assertEquals("A > 0", read.condition());
    assertEquals(List.of("LOWER(B)"), read.keys());
    assertEquals(77, read.root());
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(written)));
  }

  /** Formats 1 and 2 had no actions of foreign keys. */
  @Test
  void shouldReadForeignKeysOfOlderVersions() {
    TableDefinition.ForeignKeyDefinition key =
        new TableDefinition.ForeignKeyDefinition(
            "F",
            new int[] {1},
            3,
            new int[] {0},
            ReferentialAction.NO_ACTION,
            ReferentialAction.NO_ACTION);
    TableDefinition keyed =
        definition()
            .withGenerated(List.of())
            .withComments(Comments.NONE)
            .withForeignKeys(List.of(key));
    byte[] written = DefinitionCodec.encode(keyed);
    byte[] fifth = fifth(keyed);
    int roots = fifth.length - 2 * Long.BYTES;
    int counts = roots - 3 * Integer.BYTES;
    int actions = counts - 2 * (Short.BYTES + ReferentialAction.NO_ACTION.name().length());
    byte[] second = without(fifth, 2, actions, roots);
    assertArrayEquals(written, DefinitionCodec.encode(DefinitionCodec.decode(second)));
  }

  @Test
  void shouldReadViewsAndSequencesOfOlderVersions() {
    ViewEntry view =
        new ViewEntry(5, "PUBLIC", "V", List.of(), "SELECT 1", "PUBLIC", List.of(3), Comments.NONE);
    byte[] written = ObjectCodec.encode(view);
    int comments = written.length - Integer.BYTES;
    assertEquals(view, ObjectCodec.decodeView(without(written, 1, comments, written.length)));

    SequenceDefinition sequence =
        new SequenceDefinition(6, "PUBLIC", "S", Kind.BIGINT, 1, 1, 1, 99, true, null);
    byte[] numbered = ObjectCodec.encode(sequence);
    SequenceDefinition noted = sequence.withComment("x");
    assertEquals(noted, ObjectCodec.decodeSequence(ObjectCodec.encode(noted)));
    int comment = numbered.length - 1;
    assertEquals(
        sequence, ObjectCodec.decodeSequence(without(numbered, 1, comment, numbered.length)));
  }

  @Test
  void shouldRejectTruncatedDefinitions() {
    byte[] bytes = DefinitionCodec.encode(definition());
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      NelumboException e = assertThrows(NelumboException.class, () -> DefinitionCodec.decode(cut));
      assertTrue(e.getMessage().contains("damaged"), e::getMessage);
    }
  }

  /** Decodes random bytes: the result is a consistent definition or a refusal. */
  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldReadOrRefuseAnything() throws Exception {
    FuzzSeeds.run("ten-thousand-definitions", 1, DefinitionCodecTest::runSeed);
  }

  private static void runSeed(long seed) {
    byte[] good = DefinitionCodec.encode(definition());
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    for (int run = 0; run < RUNS; run++) {
      byte[] bytes = good.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) (1 << random.nextInt(8));
      }
      try {
        DefinitionCodec.decode(bytes);
      } catch (NelumboException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("run " + run, e);
      }
    }
    assertTrue(refused > RUNS / 10, "refused " + refused);
  }
}
