package org.nelumbo.dm.redo.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSegments;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.dm.redo.backup.BackupWriter;
import org.nelumbo.dm.redo.backup.LoggedRows;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;

/**
 * Tests archives of the logs of memory nodes, whose frames are not in the order of their
 * timestamps.
 */
@Timeout(20)
class NodeArchiveTest {
  private static final int SEGMENT = 4 * RedoLayout.BLOCK;
  private static final int STORE = 3;
  private static final int FORMAT = 7;

  private final Environment environment = new SystemEnvironment();
  private final RedoEntry entry = new RedoEntry();
  private final MemoryDisk backups = new MemoryDisk();

  /** Keys of all commits by timestamp. */
  private final TreeMap<Long, String> committed = new TreeMap<>();

  private int transactions;

  /** A memory node with its data disk and its archive disk. */
  private final class Node {
    final MemoryDisk disk;
    final MemoryDisk archive;
    NodeLog log;

    Node(MemoryDisk disk, MemoryDisk archive) throws IOException {
      this.disk = disk;
      this.archive = archive;
      start();
    }

    void start() throws IOException {
      GenerationDisk newest = GenerationDisk.newest(disk);
      RedoOptions options =
          RedoOptions.DEFAULT.withSegmentBytes(SEGMENT).withNodeArchive(() -> newest.in(archive));
      DatabaseFiles files =
          DatabaseFiles.open(environment, newest, options, FORMAT, PoolExpectation.ANY);
      NodeLog.checkArchive(archive, newest, files.id());
      log = new NodeLog(environment, files, newest, 0, NodeLogFixture.Stores::new, archive);
      log.start();
    }

    /** Waits until all full segments are in the archive. */
    void awaitArchived() {
      DatabaseFiles files = log.current().files();
      long full = files.log().forced() / files.capacity();
      GenerationDisk archived = log.current().disk().in(archive);
      await(
          () -> {
            try {
              return RedoSegments.names(archived).contains(RedoSegments.name(full - 1));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.interrupted()) {
        throw new AssertionError("it did not come about in time");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private void add(String key) {
    byte[] bytes = (key + "v".repeat(1_000)).getBytes(StandardCharsets.UTF_8);
    entry.add(STORE, bytes, 0, key.length(), bytes.length, false);
  }

  /** Sends a commit to some of the nodes. */
  private void send(long timestamp, boolean hasParts, Node... nodes) {
    long transaction = TransactionId.of(1, 1, ++transactions);
    for (Node node : nodes) {
      RedoReceiver receiver = node.log.receiver();
      RedoSender sender = new RedoSender(new ReceiverLog(receiver));
      sender.begin();
      entry.begin();
      if (hasParts) {
        add("p" + timestamp);
        sender.part(entry, transaction);
      }
      add("k" + timestamp);
      sender.commit(entry, transaction, timestamp, Durability.COMMIT);
      receiver.close();
    }
  }

  private void commit(long timestamp, Node... nodes) {
    send(timestamp, timestamp % 5 == 0, nodes);
    committed.put(timestamp, timestamp % 5 == 0 ? "p" + timestamp : "");
  }

  /**
   * Commits all timestamps of a range in a shuffled order. Each commit is at most six positions
   * away from its place in the sorted order.
   */
  private void commit(long from, long to, Node... nodes) {
    List<Long> timestamps = new ArrayList<>();
    for (long each = from; each < to; each++) {
      timestamps.add(each);
    }
    Random random = new Random(from);
    for (int at = 0; at < timestamps.size(); at += 7) {
      List<Long> group =
          new ArrayList<>(timestamps.subList(at, Math.min(at + 7, timestamps.size())));
      Collections.shuffle(group, random);
      group.forEach(each -> commit(each, nodes));
    }
  }

  private Backup backUp(Node node, long timestamp) throws IOException {
    BackupFiles all = BackupFiles.open(backups, FORMAT);
    try (BackupWriter writer = all.begin(node.log.id(), timestamp, true, Set.of(STORE))) {
      return writer.finish();
    }
  }

  private Set<String> expected(Backup backup, long until) {
    Set<String> keys = new TreeSet<>();
    committed
        .subMap(backup.timestamp(), false, until, true)
        .forEach(
            (timestamp, part) -> {
              keys.add("k" + timestamp);
              if (!part.isEmpty()) {
                keys.add(part);
              }
            });
    return keys;
  }

  private Set<String> keys(Backup backup, long until, Disk... log) throws IOException {
    Set<String> keys = new TreeSet<>();
    LoggedRows.open(BackupFiles.open(backups, FORMAT).rows(backup), backup, List.of(log), until)
        .forEachRow(
            (store, bytes, offset, keyLength, imageLength, isDeleted) ->
                keys.add(new String(bytes, offset, keyLength, StandardCharsets.UTF_8)));
    return keys;
  }

  private static MemoryDisk copy(MemoryDisk disk) {
    return MemoryDisk.of(disk.copy());
  }

  private static void mark(long id, Node... nodes) {
    for (Node node : nodes) {
      RedoEntry mark = new RedoEntry();
      mark.begin();
      mark.seal(RedoLayout.MARK);
      mark.address(id);
      RedoReceiver receiver = node.log.receiver();
      receiver.append(0, mark.bytes(), 0, mark.paddedLength(), true);
      receiver.awaitForced();
      receiver.close();
    }
  }

  @Test
  void shouldRestoreAnyPointInTimeFromUnorderedFrames() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    commit(100, 140, node);
    Backup backup = backUp(node, 123);
    assertTrue(node.log.digest());
    node.log.close();
    node.start(); // a second run
    commit(140, 180, node);
    assertTrue(node.log.digest());
    node.awaitArchived();
    for (long moment = 123; moment < 181; moment++) {
      assertEquals(expected(backup, moment), keys(backup, moment, copy(node.disk), node.archive));
      assertEquals(expected(backup, moment), keys(backup, moment, node.archive, copy(node.disk)));
    }
    node.log.close();
  }

  @Test
  void shouldRefuseRestoreIfNeededSegmentsAreMissing() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    commit(100, 140, node);
    send(500, true, node); // the clock of its sender is ahead
    committed.put(500L, "p500");
    commit(140, 200, node);
    node.awaitArchived();
    MemoryDisk later = copy(node.archive);
    for (String name : node.archive.list()) {
      if (RedoSegments.number(name) < 6) {
        later.delete(name);
      }
    }
    Backup early = backUp(node, 139);
    assertEquals(expected(early, 600), keys(early, 600, copy(node.disk), node.archive));
    MemoryDisk gone = copy(node.disk);
    for (String name : gone.list()) {
      if (RedoSegments.number(name) >= 0 && RedoSegments.number(name) < 6) {
        gone.delete(name);
      }
    }
    assertThrows(PoolOpenException.class, () -> keys(early, 600, gone, later));
    assertThrows(PoolOpenException.class, () -> keys(early, 600, gone));
    Backup late = backUp(node, 500);
    commit(501, 503, node);
    assertEquals(
        expected(late, 600), keys(late, 600, copy(node.disk), later), "all before is older");
    node.log.close();
  }

  @Test
  void shouldNameMissingSegment() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    commit(100, 180, node);
    Backup backup = backUp(node, 110);
    assertTrue(node.log.digest());
    node.awaitArchived();
    MemoryDisk gap = copy(node.archive);
    gap.delete(RedoSegments.name(2));
    MemoryDisk rest = copy(node.disk);
    if (rest.list().contains(RedoSegments.name(2))) {
      rest.delete(RedoSegments.name(2));
    }
    String message =
        assertThrows(DamagedFilesException.class, () -> keys(backup, 600, rest, gap)).getMessage();
    assertTrue(message.contains(RedoSegments.name(2)), message);
    Map<String, byte[]> bent = node.archive.copy();
    bent.get(RedoSegments.name(2))[RedoLayout.BLOCK + 500] ^= 1;
    MemoryDisk damaged = MemoryDisk.of(bent);
    assertThrows(DamagedFilesException.class, () -> keys(backup, 600, rest, damaged));
    node.log.close();
  }

  /**
   * The last commit of the excluded node is as late as that of the live node. Later it also has a
   * commit of a failed compute node.
   */
  @Test
  void shouldUseCompleteLogIfLastLiveNodeIsUnknown() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    Node other = new Node(new MemoryDisk(), new MemoryDisk());
    copyLog(node, other);
    commit(100, 130, node, other);
    mark(7, node, other);
    Backup backup = backUp(node, 110);
    commit(141, node, other);
    commit(140, node); // a slow commit with an earlier timestamp; the other node is excluded
    Set<String> wanted = expected(backup, 160);
    assertEquals(wanted, keys(backup, 160, copies(node, other)));
    assertEquals(wanted, keys(backup, 160, copies(other, node)));
    send(156, false, other); // from a failed compute node
    Set<String> before = expected(backup, 155);
    assertEquals(before, keys(backup, 155, copies(other, node)), "it is not wanted");
    String message =
        assertThrows(PoolOpenException.class, () -> keys(backup, 160, copies(other, node)))
            .getMessage();
    assertTrue(message.contains("nothing shows which node was live last"), message);
    assertEquals(wanted, keys(backup, 160, copies(node)));
    mark(8, node);
    assertEquals(wanted, keys(backup, 160, copies(other, node)), "the mark tells");
    node.log.close();
    other.log.close();
  }

  /**
   * The other node has missed commits and holds one commit that was never completed. Then it
   * rejoins.
   */
  @Test
  void shouldUseLogOfLastLiveNode() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    Node other = new Node(new MemoryDisk(), new MemoryDisk());
    copyLog(node, other);
    commit(100, 130, node, other);
    mark(7, node, other);
    Backup backup = backUp(node, 110);
    commit(130, 140, node, other);
    send(155, false, other); // from a failed compute node; no other node has it
    commit(140, 150, node);
    mark(8, node);
    for (long moment : new long[] {120, 139, 149, 160}) {
      Set<String> wanted = expected(backup, moment);
      assertEquals(wanted, keys(backup, moment, copies(node, other)));
      assertEquals(wanted, keys(backup, moment, copies(other, node)));
    }
    assertNotEquals(expected(backup, 160), keys(backup, 160, copies(other)));
    copyLog(node, other);
    commit(160, 190, node, other);
    node.awaitArchived();
    other.awaitArchived();
    for (Disk[] log : List.of(copies(node), copies(other), copies(other, node))) {
      assertEquals(expected(backup, 149), keys(backup, 149, log));
      assertEquals(expected(backup, 155), keys(backup, 155, log));
      assertEquals(expected(backup, 189), keys(backup, 189, log));
    }
    node.log.close();
    other.log.close();
  }

  private static Disk[] copies(Node... nodes) {
    List<Disk> disks = new ArrayList<>();
    for (Node node : nodes) {
      disks.add(copy(node.archive));
      disks.add(copy(node.disk));
    }
    return disks.toArray(new Disk[0]);
  }

  private static void copyLog(Node from, Node to) {
    RedoReceiver source = from.log.receiver();
    RedoReceiver target = to.log.receiver();
    try (LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
      copy.run();
    }
  }

  /** A log that was replaced as a whole has different bytes at the same positions. */
  @Test
  void shouldNotMixLogGenerationsOfNode() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    Node other = new Node(new MemoryDisk(), new MemoryDisk());
    copyLog(node, other);
    commit(100, 130, node, other);
    Backup backup = backUp(node, 110);
    commit(130, 150, other, node);
    other.awaitArchived();
    commit(150, 180, node);
    copyLog(node, other); // a full copy, since there is no log checkpoint
    commit(180, 210, node, other);
    other.awaitArchived();
    assertEquals(expected(backup, 205), keys(backup, 205, copies(other)));
    assertEquals(
        List.of(1, 2),
        GenerationDisk.all(other.archive).stream().map(GenerationDisk::number).toList());
    other.log.close();
    other.start();
    commit(210, 220, node, other);
    assertEquals(expected(backup, 215), keys(backup, 215, copies(other)));
    node.log.close();
    other.log.close();
  }

  /**
   * The segments that the node archived before its absence contain nothing from the time of its
   * absence.
   */
  @Test
  void shouldNotEndWhereTheNodeWasAway() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    Node other = new Node(new MemoryDisk(), new MemoryDisk());
    copyLog(node, other);
    commit(100, 150, node, other);
    Backup backup = backUp(node, 110);
    other.awaitArchived();
    commit(150, 180, node);
    node.awaitArchived();
    assertTrue(node.log.digest());
    copyLog(
        node,
        other); // a full copy, since there is no log checkpoint; the log begins with the checkpoint
    commit(180, 200, node, other);
    String message =
        assertThrows(PoolOpenException.class, () -> keys(backup, 190, copies(other))).getMessage();
    assertTrue(message.contains("begins after the backup"), message);
    assertThrows(PoolOpenException.class, () -> keys(backup, 170, copies(other)));
    assertEquals(expected(backup, 120), keys(backup, 120, copies(other)), "it was there then");
    for (long moment : new long[] {120, 170, 190, 300}) {
      Set<String> wanted = expected(backup, moment);
      assertEquals(wanted, keys(backup, moment, copies(other, node)));
      assertEquals(wanted, keys(backup, moment, copies(node, other)));
    }
    node.log.close();
    other.log.close();
  }

  @Test
  void shouldRefuseTheArchiveOfAnotherNode() throws IOException {
    Node node = new Node(new MemoryDisk(), new MemoryDisk());
    Node other = new Node(new MemoryDisk(), new MemoryDisk());
    copyLog(node, other);
    commit(100, 130, node, other);
    node.awaitArchived();
    node.log.close();
    other.log.close();
    assertThrows(PoolOpenException.class, () -> new Node(other.disk, node.archive));
    assertThrows(PoolOpenException.class, () -> new Node(new MemoryDisk(), node.archive));
    new Node(node.disk, node.archive).log.close();
  }
}
