package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.database.durable.DirectoryCheck;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.error.NelumboException;

/**
 * Damages files of databases and of backups. Only original data is returned, the check names the
 * damage that prevents opening, and a salvage restores all rows whose newest images are intact.
 * {@link FuzzSeeds} describes longer runs and runs of a single seed.
 */
@Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
class DamagedFilesTest {
  private static final int BLOCK = 4096;
  private static final int SEGMENT = 16 * BLOCK;
  private static final int ROWS = 400;
  private static final int WIDE = 1_500;
  private static final List<String> TABLES = List.of("a", "b");

  private static final Pattern TAG = Pattern.compile("([ab]-\\d+-\\d)#");

  @TempDir private Path place;

  private final DatabaseOptions options =
      DatabaseOptions.defaults()
          .withMemoryBytes(16L << 20)
          .withLoaders(1)
          .withRedo(RedoOptions.DEFAULT.withSegmentBytes(SEGMENT));

  /** The original content of all files, by directory. */
  private final Map<Path, Map<String, byte[]>> whole = new TreeMap<>();

  private List<String> wanted;

  private Path files() {
    return place.resolve("files");
  }

  private Path backups() {
    return place.resolve("backups");
  }

  @BeforeEach
  void make() throws IOException {
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE a (id INTEGER PRIMARY KEY, u INTEGER UNIQUE, v VARCHAR(2000))",
          "CREATE TABLE b (id INTEGER PRIMARY KEY, v VARCHAR(2000)) WITH (ordered = false)");
      for (int id = 0; id < ROWS; id++) {
        sql.update("INSERT INTO a VALUES (?, ?, ?)", id, id, text("a", id, 1, WIDE));
      }
      for (int id = 0; id < ROWS / 4; id++) {
        sql.update("INSERT INTO b VALUES (?, ?)", id, text("b", id, 1, WIDE));
      }
      sql.run("BACKUP TO '" + backups() + "'");
      assertTrue(database.checkpoint());
      for (int id = 0; id < ROWS; id += 5) {
        sql.update("UPDATE a SET v = ? WHERE id = ?", text("a", id, 2, 700), id);
        sql.update("UPDATE b SET v = ? WHERE id = ?", text("b", id / 5, 2, 700), id / 5);
      }
      sql.run("DELETE FROM a WHERE id BETWEEN 10 AND 20", "BACKUP TO '" + backups() + "'");
      for (int id = 20; id < 40; id++) {
        sql.update("UPDATE a SET v = ? WHERE id = ?", text("a", id, 3, 300), id);
      }
      wanted = content(sql);
    }
    for (Path directory : List.of(files(), backups())) {
      whole.put(directory, read(directory));
    }
  }

  private static String text(String table, int id, int version, int length) {
    return (table + "-" + id + "-" + version + "#") + "x".repeat(length);
  }

  private static List<String> content(Sql sql) {
    List<String> rows = new ArrayList<>();
    for (String table : TABLES) {
      String name = "'" + table + " '";
      rows.addAll(
          sql.query("SELECT " + name + " || id || ' ' || v FROM " + table + " ORDER BY id"));
    }
    return rows;
  }

  private static Map<String, byte[]> read(Path directory) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> !each.endsWith("LOCK")).toList()) {
        all.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return all;
  }

  private static void write(Path directory, Map<String, byte[]> files) throws IOException {
    for (String name : read(directory).keySet()) {
      if (!files.containsKey(name)) {
        Files.delete(directory.resolve(name));
      }
    }
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
  }

  @Test
  void shouldReturnOnlyOriginalData() throws Exception {
    FuzzSeeds.run("damaged-files", 1, this::run);
  }

  /** A damaged byte range of a file. */
  private record Damage(String file, int from, int to) {
    boolean touches(String name, int start, int end) {
      return file.equals(name) && from < end && to > start;
    }
  }

  private void run(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path directory = random.nextInt(4) == 0 ? backups() : files();
    Map<String, byte[]> damaged = new TreeMap<>(whole.get(directory));
    List<Damage> damage = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      damage.add(damage(damaged, random));
    }
    write(directory, damaged);
    try {
      DirectoryCheck check = check(directory);
      boolean isServed =
          directory.equals(files()) ? serves(check) : serves("RESTORE FROM '" + backups() + "'");
      assertTrue(isServed || !check.damage().isEmpty(), "refused, and the check finds nothing");
      check.damage().forEach(line -> assertTrue(line.contains("file="), line));
      write(directory, damaged);
      salvage(directory, damage, check.damage().isEmpty());
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(damage + " " + e, e);
    } finally {
      write(directory, whole.get(directory));
    }
  }

  private static Damage damage(Map<String, byte[]> files, SplittableRandom random) {
    List<String> names =
        files.keySet().stream().filter(each -> files.get(each).length > 0).toList();
    String name = names.get(random.nextInt(names.size()));
    byte[] bytes = files.get(name).clone();
    int at = random.nextInt(Math.max(1, bytes.length));
    if (random.nextInt(8) == 0) {
      at = Math.min(at, 63); // the header
    }
    int kind = random.nextInt(files.size() == 1 ? 1 : 0, 6);
    int from = at;
    int to = bytes.length;
    switch (kind) {
      case 0 -> {
        files.remove(name);
        return new Damage(name, 0, Integer.MAX_VALUE);
      }
      case 1 -> bytes = Arrays.copyOf(bytes, at);
      case 2 -> {
        from = at / 512 * 512;
        to = Math.min(bytes.length, from + 512 * (1 + random.nextInt(8)));
        Arrays.fill(bytes, from, to, (byte) 0);
      }
      case 3 -> {
        String other = names.get(random.nextInt(names.size()));
        files.put(name, files.get(other));
        files.put(other, bytes);
        return new Damage(other.equals(name) ? "" : name + "|" + other, 0, Integer.MAX_VALUE);
      }
      case 4 -> {
        to = Math.min(bytes.length, at + 1 + random.nextInt(100));
        for (int i = from; i < to; i++) {
          bytes[i] = (byte) random.nextInt();
        }
      }
      default -> {
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        to = at + 1;
      }
    }
    files.put(name, bytes);
    return new Damage(name, from, to);
  }

  private static DirectoryCheck check(Path directory) throws IOException {
    try (Disk disk = DirectoryDisk.openToRead(directory)) {
      return DirectoryCheck.of(disk);
    } catch (PoolOpenException e) {
      throw new AssertionError("not a word of what there was: " + e.getMessage(), e);
    }
  }

  /**
   * Returns true if the database opens with all its data; false if it is refused with a message. If
   * the damage is in the memory that was kept at close, the database is opened once more.
   */
  private boolean serves(DirectoryCheck check) {
    try {
      return servesAtOnce(check);
    } catch (NelumboException e) {
      assertEquals("08006", e.sqlState(), e.toString());
      return servesOnceMore(check, e);
    } catch (FabricException e) { // thrown by the first reader of the damage
      return servesOnceMore(check, e);
    }
  }

  private boolean servesOnceMore(DirectoryCheck check, RuntimeException lost) {
    assertTrue(lost.getMessage().contains("MEMORY"), lost.toString());
    assertTrue(check.damage().toString().contains("MEMORY"), check.damage().toString());
    return servesAtOnce(check);
  }

  private boolean servesAtOnce(DirectoryCheck check) {
    LocalDatabase database;
    try {
      database = DatabaseOpener.openFile(options, files());
    } catch (NelumboException e) {
      assertTrue(Set.of("XX001", "08001").contains(e.sqlState()), e.toString());
      return false;
    }
    try (database;
        Sql sql = new Sql(database)) {
      assertEquals(wanted, content(sql), "served, though it is damaged: " + check.damage());
      return true;
    }
  }

  private boolean serves(String restore) {
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      sql.run(restore);
      List<String> found = content(sql);
      assertFalse(found.isEmpty());
      return true;
    } catch (NelumboException e) {
      assertTrue(Set.of("XX001", "22023").contains(e.sqlState()), e.toString());
      return false;
    }
  }

  private void salvage(Path directory, List<Damage> damage, boolean isSound) {
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      sql.run("RESTORE FROM '" + directory + "' SALVAGE");
      Set<String> tables = new HashSet<>(sql.query("SELECT TABLE_NAME FROM SYS.TABLES"));
      Set<String> found = new HashSet<>();
      for (String table : TABLES) {
        if (tables.contains(table.toUpperCase(Locale.ROOT))) {
          for (String row : sql.query("SELECT id || ' ' || v FROM " + table)) {
            String tag = row.substring(row.indexOf(' ') + 1, row.indexOf('#') + 1);
            String id = row.substring(0, row.indexOf(' '));
            assertTrue(tag.startsWith(table + "-" + id + "-"), "never written: " + row);
            found.add(table + " " + row);
          }
        }
      }
      if (directory.equals(files())) {
        Set<String> missing = new HashSet<>(wholeRows(damage));
        missing.removeAll(found);
        assertEquals(List.of(), tags(missing), "sound, and not salvaged");
        if (isSound) {
          assertEquals(tags(new HashSet<>(wanted)), tags(found));
        }
      }
    }
  }

  private static List<String> tags(Set<String> rows) {
    return rows.stream().map(row -> row.substring(0, row.indexOf('#'))).sorted().toList();
  }

  /**
   * Returns the rows whose newest images lie in intact frames and whose table definitions are
   * intact.
   */
  private Set<String> wholeRows(List<Damage> damage) {
    Map<String, byte[]> all = whole.get(files());
    Map<String, Boolean> isWhole = new TreeMap<>();
    boolean hasCatalogue = true;
    for (String name : all.keySet()) {
      if (name.startsWith("checkpoint-")) {
        List<Frame> frames = frames(all, List.of(name), 0);
        hasCatalogue = !damagesHeader(damage, name);
        for (Frame frame : frames) {
          hasCatalogue &= frame.isWhole(damage) || !frame.text.contains("PUBLIC");
        }
        frames.forEach(frame -> note(frame, damage, isWhole));
      }
    }
    List<String> segments = all.keySet().stream().filter(each -> each.startsWith("redo-")).toList();
    List<Frame> log = frames(all, segments, (int) start(all));
    log.forEach(frame -> note(frame, damage, isWhole));
    Set<String> rows = new HashSet<>(wanted);
    rows.removeIf(row -> !isWhole.get(row.substring(row.lastIndexOf(' ') + 1, row.indexOf('#'))));
    return hasCatalogue ? rows : Set.of();
  }

  private static boolean damagesHeader(List<Damage> damage, String name) {
    return damage.stream().anyMatch(each -> each.file.contains(name) && each.from < BLOCK);
  }

  /** A frame, in the pieces of the files that contain it. */
  private record Frame(String text, List<Damage> pieces) {
    boolean isWhole(List<Damage> damage) {
      for (Damage piece : pieces) {
        for (Damage each : damage) {
          boolean isExchanged = each.file.contains("|") && each.file.contains(piece.file);
          if (isExchanged || each.touches(piece.file, piece.from, piece.to)) {
            return false;
          }
        }
      }
      return true;
    }
  }

  private static void note(Frame frame, List<Damage> damage, Map<String, Boolean> isWhole) {
    boolean whole = frame.isWhole(damage);
    Matcher tags = TAG.matcher(frame.text);
    while (tags.find()) {
      isWhole.put(tags.group(1), whole);
    }
  }

  /** Returns the log position in the header of the checkpoint: replay starts there. */
  private static long start(Map<String, byte[]> files) {
    for (String name : files.keySet()) {
      if (name.startsWith("checkpoint-")) {
        return buffer(files.get(name)).getLong(24);
      }
    }
    return 0;
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the frames of files, from a position on. */
  private static List<Frame> frames(Map<String, byte[]> files, List<String> names, int start) {
    int capacity = files.get(names.getFirst()).length - BLOCK;
    int first =
        names.getFirst().startsWith("redo-")
            ? Integer.parseInt(names.getFirst().substring(5), 16) * capacity
            : 0;
    byte[] stream = new byte[names.size() * capacity];
    for (int i = 0; i < names.size(); i++) {
      System.arraycopy(files.get(names.get(i)), BLOCK, stream, i * capacity, capacity);
    }
    List<Frame> frames = new ArrayList<>();
    for (int at = start - first; at + 48 <= stream.length; ) {
      int length = buffer(stream).getInt(at) & 0x0FFF_FFFF;
      if (length == 0) {
        break;
      }
      List<Damage> pieces = new ArrayList<>();
      for (int from = at; from < at + length; ) {
        int to = Math.min(at + length, (from / capacity + 1) * capacity);
        int offset = BLOCK + from % capacity;
        pieces.add(new Damage(names.get(from / capacity), offset, offset + to - from));
        from = to;
      }
      frames.add(new Frame(new String(stream, at, length, StandardCharsets.ISO_8859_1), pieces));
      at += length + 7 & ~7;
    }
    return frames;
  }
}
