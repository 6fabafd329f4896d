package org.nelumbo.dm.redo.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoSender;

/** Tests which frames the log of a memory node accepts, its queries, and its checkpoints. */
@Timeout(60)
class NodeLogTest extends NodeLogFixture {
  @Test
  void shouldReportTimestampOfLastTransactionOfEachCoordinator() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoSender sender = sender(log.receiver());
      long first = TransactionId.of(9, 100, 5);
      long second = TransactionId.of(9, 100, 6);
      long ofOther = TransactionId.of(9, 101, 4);
      commit(sender, first, 70, Durability.INTERVAL);
      commit(sender(log.receiver()), ofOther, 75, Durability.INTERVAL);
      commit(sender, second, 80, Durability.INTERVAL);
      assertEquals(80, log.committed(second));
      assertEquals(75, log.committed(ofOther));
      assertEquals(0, log.committed(first));
      assertEquals(0, log.committed(TransactionId.of(8, 100, 6)));
      log.forgetCommitted();
      assertEquals(0, log.committed(second));
      assertEquals(0, log.committed(ofOther));
      commit(sender, first, 90, Durability.COMMIT);
      assertEquals(90, log.committed(first));
      assertEquals(0, log.committed(ofOther));
    }
  }

  private void commit(RedoSender sender, long transaction, long timestamp, Durability durability) {
    sender.begin();
    entry.begin();
    add(3, "k", "v");
    sender.commit(entry, transaction, timestamp, durability);
  }

  @Test
  void shouldCountPartsOnlyWithTheirEnd() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    NodeLog log = start(disk);
    RedoReceiver connection = log.receiver();
    RedoSender sender = sender(connection);
    for (int i = 0; i < 3; i++) {
      sender.begin();
      entry.begin();
      add(3, "part" + i, "v");
      sender.part(entry, TransactionId.of(1, 7, i));
      if (i == 0) {
        sender.forget(entry, TransactionId.of(1, 7, i));
      } else if (i == 1) {
        add(3, "end" + i, "v");
        sender.commit(entry, TransactionId.of(1, 7, i), 10, Durability.COMMIT);
      }
    }
    assertTrue(log.digest());
    assertTrue(files.bytesSinceCheckpoint() > 0, "the third transaction is under way");
    connection.close();
    assertTrue(log.digest());
    assertEquals(0, files.bytesSinceCheckpoint());
    assertEquals(Map.of("3:part1", "v", "3:end1", "v"), rows(disk));
    log.close();
  }

  @Test
  void shouldRejectDamagedOrTruncatedEntries() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoReceiver receiver = log.receiver();
      entry.begin();
      add(3, "k", "v");
      entry.seal(RedoLayout.COMMIT);
      entry.address(5);
      int length = entry.paddedLength();
      for (int at = 0; at < length; at++) {
        byte[] bent = entry.bytes().clone();
        bent[at] ^= 0x40;
        if (at < RedoLayout.length(entry.bytes())) { // excluding the padding behind the entry
          assertThrows(
              IllegalArgumentException.class,
              () -> receiver.append(1, bent, 0, length, false),
              "offset=" + at);
        }
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> receiver.append(1, entry.bytes(), 0, length - 8, false));
      receiver.append(1, entry.bytes(), 0, length, true);
      assertEquals(3, log.lastStore());
    }
  }

  /**
   * Several rounds of changes, each followed by a checkpoint. At the end the log has exactly the
   * newest version of each row.
   */
  @Test
  void shouldKeepNewestRowVersionsInCheckpoints() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    Random random = new Random(7);
    Map<String, String> expected = new TreeMap<>();
    for (int run = 0; run < 3; run++) {
      NodeLog log = start(disk);
      LogCompaction digest = new LogCompaction(environment, files, Stores::new, 1_000);
      RedoSender sender = sender(log.receiver());
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 60; i++) {
          change(sender, random, TransactionId.of(1, 0, i), expected);
        }
        assertTrue(digest.write());
        assertEquals(0, files.bytesSinceCheckpoint());
        assertEquals(expected, rows(disk));
      }
      change(sender, random, TransactionId.of(1, 0, 99), expected);
      log.close();
    }
  }

  private void change(
      RedoSender sender, Random random, long transaction, Map<String, String> expected) {
    sender.begin();
    entry.begin();
    for (int row = 0; row < 3; row++) {
      int store = 1 + random.nextInt(4);
      String key = "k" + random.nextInt(50);
      String image = random.nextInt(4) == 0 ? "" : "v" + random.nextLong();
      add(store, key, image);
      if (image.isEmpty()) {
        expected.remove(store + ":" + key);
      } else if (store != DROPPED) {
        expected.put(store + ":" + key, image);
      }
      if (random.nextInt(5) == 0) {
        sender.part(entry, transaction);
      }
    }
    sender.commit(entry, transaction, 10, Durability.COMMIT);
  }

  @Test
  void shouldKeepFirstPoolName() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    try (NodeLog log = start(disk)) {
      assertFalse(log.hasName());
      log.setName("");
      assertEquals("", log.poolName());
      log.setName("shop");
      log.setName("other");
    }
    try (NodeLog log = start(disk)) {
      assertTrue(log.hasName());
      assertEquals("shop", log.poolName());
    }
  }

  @Test
  void shouldReportWriteFailure() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    NodeLog log = start(disk);
    RedoSender sender = sender(log.receiver());
    disk.forceFails = true;
    entry.begin();
    add(3, "k", "v");
    sender.begin();
    assertThrows(
        RedoFailedException.class,
        () -> sender.commit(entry, TransactionId.of(1, 1, 1), 5, Durability.COMMIT));
    assertNotNull(log.failure());
    assertThrows(RedoFailedException.class, () -> log.committed(TransactionId.of(1, 1, 1)));
    log.close();
  }

  /** The log checkpoint would separate the frames of the transaction. */
  @Test
  void shouldIgnoreMarkWithinTransaction() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoReceiver receiver = log.receiver();
      RedoSender sender = sender(receiver);
      sender.begin();
      entry.begin();
      add(3, "k", "v");
      sender.part(entry, TransactionId.of(1, 1, 1));
      mark(7, receiver);
      assertEquals(-1, files.logCheckpoints().behind(7));
      entry.begin();
      sender.commit(entry, TransactionId.of(1, 1, 1), 5, Durability.COMMIT);
      mark(8, receiver);
      assertTrue(files.logCheckpoints().behind(8) > 0);
    }
  }
}
