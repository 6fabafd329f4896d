package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * Damages words of a pool while no process has it open: the pool opens, or is refused with a
 * message. Damage outside the tables loses no row. {@link FuzzSeeds} describes longer runs and runs
 * of a single seed.
 */
@Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
class DamagedPoolTest {
  private static final int ROWS = 40;

  private final LocalFabric memory = new LocalFabric(1, 16L << 20);

  /** True if an error of posted verbs loses the pool, as over a network. */
  private boolean failsStop;

  private long[] left;
  private long[] crashed;

  @BeforeEach
  void fill() {
    LocalDatabase database = attach();
    Sql sql = new Sql(database);
    for (String table : List.of("a", "b", "c")) {
      sql.run(
          "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, k INTEGER UNIQUE, v VARCHAR(2000))");
      for (int id = 0; id < ROWS; id++) {
        sql.update("INSERT INTO " + table + " VALUES (?, ?, ?)", id, id, "v".repeat(id * 9));
      }
      sql.run("UPDATE " + table + " SET v = v || 'w'", "DELETE FROM " + table + " WHERE id < 3");
    }
    database.close();
    left = PoolCopy.take(memory);
    database = attach();
    sql = new Sql(database);
    sql.run("UPDATE a SET k = k + 100 WHERE id > 10", "UPDATE a SET k = k - 100 WHERE id > 10");
    database.abandon();
    crashed = PoolCopy.take(memory);
  }

  @AfterEach
  void release() {
    memory.close();
  }

  private LocalDatabase attach() {
    return DatabaseOpener.attach(
        DatabaseOptions.defaults(),
        new SystemEnvironment(),
        "a test",
        "",
        () -> {
          Fabric kept =
              new ForwardingFabric(memory) {
                @Override
                public void close() {}
              };
          return failsStop ? new FailStopFabric(kept) : kept;
        });
  }

  /** The damaged part of the pool. */
  private enum Part {
    SUPERBLOCK,
    LOGS,
    FREE_SPACE_MAP,
    /** A free-space map whose checksum is valid in spite of the damage. */
    FREE_SPACE_MAP_CHECKED,
    CATALOGUE,
    ANYTHING;

    /** Returns true if all rows must be present when the pool can be opened. */
    boolean leavesTables() {
      return this == LOGS || this == FREE_SPACE_MAP;
    }
  }

  @Test
  void shouldOpenOrRefuseDamagedPools() throws Exception {
    FuzzSeeds.run("damaged-pools", 1, this::run);
  }

  private void run(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    failsStop = random.nextBoolean();
    Part part = Part.values()[random.nextInt(Part.values().length)];
    boolean isLeft = part.name().startsWith("FREE") || random.nextBoolean();
    long[] words = (isLeft ? left : crashed).clone();
    List<String> damage = new ArrayList<>();
    List<Integer> places = places(words, part);
    for (int i = 1 + random.nextInt(3); i > 0 && !places.isEmpty(); i--) {
      int at = places.get(random.nextInt(places.size()));
      long now = damaged(words, at, random);
      damage.add(
          at * Long.BYTES + ": " + Long.toHexString(words[at]) + " -> " + Long.toHexString(now));
      words[at] = now;
    }
    if (part == Part.FREE_SPACE_MAP_CHECKED) {
      setChecksum(words);
    }
    PoolCopy.put(memory, words);
    try {
      FuzzSeeds.runToEnd(() -> openAndUse(part));
    } catch (AssertionError e) {
      throw new AssertionError(
          part
              + (isLeft ? " left " : " crashed ")
              + (failsStop ? "fail-stop " : "")
              + damage
              + " "
              + e,
          e);
    }
  }

  private static int index(long address) {
    return (int) (PoolAddress.offset(address) / Long.BYTES);
  }

  private static List<Integer> places(long[] words, Part part) {
    List<Integer> places = new ArrayList<>();
    switch (part) {
      case SUPERBLOCK -> add(places, 0, SuperblockLayout.LENGTH / Long.BYTES);
      case LOGS -> {
        int named =
            index(SuperblockLayout.computeNode(0) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET);
        places.add(named);
        int directory = index(words[named]);
        boolean isThere = words[named] != PoolAddress.NULL;
        if (isThere) {
          places.add(directory);
        }
        for (int log = 1; isThere && log <= LogLayout.DIRECTORY_LOGS; log++) {
          long first = words[directory + log];
          if (first != PoolAddress.NULL) {
            places.add(directory + log);
            add(places, index(first), 12);
          }
        }
      }
      case FREE_SPACE_MAP, FREE_SPACE_MAP_CHECKED -> {
        int pointer = SuperblockLayout.FREE_SPACE_MAP_OFFSET / Long.BYTES;
        int first = index(words[pointer]);
        if (part == Part.FREE_SPACE_MAP) {
          places.add(pointer);
          add(places, first, FreeSpaceMapLayout.WORDS_OFFSET / Long.BYTES);
        }
        int header = FreeSpaceMapLayout.WORDS_OFFSET / Long.BYTES;
        add(places, first + header, (int) words[first + 1] - 1);
      }
      case CATALOGUE -> {
        int root = index(words[SuperblockLayout.CATALOGUE_ROOT_OFFSET / Long.BYTES]);
        int ordered = index(words[SuperblockLayout.CATALOGUE_ORDERED_OFFSET / Long.BYTES]);
        add(places, root, 64);
        add(places, ordered, 64);
      }
      default -> add(places, 0, words.length);
    }
    return places;
  }

  private static void add(List<Integer> places, int from, int count) {
    for (int i = 0; i < count; i++) {
      places.add(from + i);
    }
  }

  private static long damaged(long[] words, int at, SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> random.nextLong();
      case 3 -> random.nextInt(100);
      case 4 -> words[random.nextInt(words.length)];
      case 5 -> words[at] + random.nextInt(-64, 65);
      case 6 -> random.nextLong((long) words.length * Long.BYTES) & -16;
      default -> words[at] ^ 1L << random.nextInt(64);
    };
  }

  /** Sets the checksum of a map that consists of one block. */
  private static void setChecksum(long[] words) {
    int block = index(words[SuperblockLayout.FREE_SPACE_MAP_OFFSET / Long.BYTES]);
    int first = block + FreeSpaceMapLayout.WORDS_OFFSET / Long.BYTES;
    int count = (int) words[block + 1];
    long checksum = 0;
    for (int i = 0; i < count - 1; i++) {
      checksum = LogLayout.addToChecksum(checksum, words[first + i]);
    }
    words[first + count - 1] = checksum;
  }

  private void openAndUse(Part part) {
    LocalDatabase database;
    try {
      database = attach();
    } catch (NelumboException e) {
      assertTrue(
          e.code() == ErrorCode.DATA_CORRUPTED
              || e.code() == ErrorCode.CONNECTION_FAILED
              || e.code() == ErrorCode.POOL_FULL,
          () -> e.code() + " " + e.getMessage());
      return;
    }
    try {
      if (part.leavesTables()) {
        assertWhole(database);
      }
    } finally {
      database.abandon();
    }
  }

  private static void assertWhole(LocalDatabase database) {
    Sql sql = new Sql(database);
    for (String table : List.of("a", "b", "c")) {
      sql.update("INSERT INTO " + table + " VALUES (?, ?, 'new')", ROWS, ROWS);
      assertEquals(
          List.of(ROWS - 2 + " " + (ROWS * (ROWS + 1) / 2 - 3)),
          sql.query("SELECT COUNT(*), SUM(k) FROM " + table + " WHERE k >= 0"));
      for (int id = 3; id < ROWS; id += 6) {
        assertEquals(
            List.of(id + " " + "v".repeat(id * 9) + "w"),
            sql.query("SELECT k, v FROM " + table + " WHERE id = ?", id));
      }
    }
  }
}
