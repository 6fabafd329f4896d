package org.nelumbo.dm.redo.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.redo.backup.SoundRows;

/** Tests copies of a log to another memory node, both full and incremental. */
@Timeout(60)
class LogCopyTest extends NodeLogFixture {
  @Test
  void shouldCopyLogDuringConcurrentCommits() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk);
        NodeLog other = start(otherDisk)) {
      log.setName("shop");
      RedoSender sender = sender(log.receiver());
      int number = 1;
      for (; number < 300; number++) {
        commit(sender, number);
      }
      assertTrue(log.digest());
      RedoReceiver source = log.receiver();
      RedoReceiver target = other.receiver();
      LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target));
      while (!copy.step()) {
        commit(sender, number++);
        assertEquals(Map.of(), rows(otherDisk)); // the copy is not in force yet
        assertFalse(copy.hasBegun() && log.digest()); // the copy still reads the files
      }
      commit(sender, number);
      copy.finish();
      copy.close();
      assertEquals(log.id(), other.id());
      assertEquals("shop", other.poolName());
      assertEquals(3, other.lastStore());
      assertEquals(number, other.committed(TransactionId.of(1, 1, number)));
      assertEquals(rows(disk), rows(otherDisk));
      commit(sender(target), number + 1);
      assertTrue(log.digest());
      assertEquals(101, rows(otherDisk).size() + 1);
    }
    assertTrue(otherDisk.list().stream().allMatch(name -> name.startsWith("1.")));
    try (NodeLog again = start(otherDisk)) {
      assertTrue(again.hasName());
    }
  }

  private static void giveAll(NodeLog log, NodeLog other) {
    try (LogCopy copy =
        new LogCopy(new ReceiverLog(log.receiver()), new ReceiverLog(other.receiver()))) {
      copy.run();
      assertFalse(copy.isDifference());
    }
  }

  /** The late receiver stands for a connection whose end the node has not detected yet. */
  @Test
  void shouldRejectAppendsToReplacedLog() throws IOException {
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(new MemoryDisk());
        NodeLog other = start(otherDisk)) {
      commit(sender(log.receiver()), 1);
      giveAll(log, other);
      RedoReceiver late = other.receiver();
      commit(sender(late), 2);
      giveAll(log, other);
      assertThrows(RedoFailedException.class, () -> commit(sender(late), 2));
      assertThrows(RedoFailedException.class, () -> mark(7, late));
      assertEquals(-1, other.current().files().logCheckpoints().behind(7));
      assertNull(other.failure());
      commit(sender(other.receiver()), 3);
    }
    assertEquals(2, rows(otherDisk).size());
  }

  @Test
  void shouldRejectCopyOntoLogOfAnotherPool() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk);
        NodeLog other = start(otherDisk)) {
      commit(sender(log.receiver()), 1);
      commit(sender(other.receiver()), 2);
      Map<String, String> before = rows(otherDisk);
      long id = other.id();
      try (LogCopy copy =
          new LogCopy(new ReceiverLog(log.receiver()), new ReceiverLog(other.receiver()))) {
        assertThrows(IllegalArgumentException.class, copy::run); // the log belongs to another pool
      }
      commit(sender(other.receiver()), 2);
      assertEquals(id, other.id());
      assertEquals(before, rows(otherDisk));
    }
    assertEquals(List.of("3:key 2"), List.copyOf(rows(otherDisk).keySet()));
  }

  /**
   * One compute node replaces the log of a node while other compute nodes have connections to that
   * node.
   */
  @Test
  void shouldAppendToLogCopiedByAnotherComputeNode() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk)) {
      NodeLog other = start(otherDisk);
      RedoReceiver source = log.receiver();
      RedoReceiver bystander = other.receiver();
      commit(sender(source), 1);
      giveAll(log, other);
      commit(sender(source), 2);
      commit(sender(bystander), 2);
      assertEquals(rows(disk), rows(otherDisk));
      other.close();
    }
  }

  @Test
  void shouldCopyOnlyMissingFrames() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk)) {
      NodeLog other = start(otherDisk);
      RedoReceiver source = log.receiver();
      RedoReceiver target = other.receiver();
      LogCopy whole = new LogCopy(new ReceiverLog(source), new ReceiverLog(target));
      whole.run();
      whole.close();
      assertFalse(whole.isDifference());
      for (int number = 1; number < 200; number++) {
        commit(sender(source), number);
        commit(sender(target), number == 198 ? 199 : number == 199 ? 198 : number);
      }
      mark(7, source, target);
      commit(sender(target), 900); // from a failed compute node; no other node has it
      Map<String, String> before = rows(otherDisk);
      commit(sender(source), 301);
      commitLarge(sender(source), 302);
      LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target));
      while (!copy.step()) {
        assertEquals(before, rows(otherDisk)); // the copy is not in force yet
        assertFalse(other.digest());
      }
      commitLarge(sender(source), 303);
      copy.finish();
      copy.close();
      assertTrue(copy.isDifference());
      assertTrue(copy.copiedBytes() < 4_000, "copiedBytes=" + copy.copiedBytes());
      assertEquals(rows(disk), rows(otherDisk));
      assertEquals(303, other.committed(TransactionId.of(1, 1, 303)));
      assertEquals(0, other.committed(TransactionId.of(1, 1, 900)));
      other.close();
    }
    try (NodeLog again = start(otherDisk)) {
      assertEquals(rows(disk), rows(otherDisk));
      mark(8, again.receiver());
      assertTrue(again.digest());
      assertEquals(rows(disk), rows(otherDisk));
      SoundRows sound = SoundRows.open(MemoryDisk.of(otherDisk.copy()), 7);
      assertEquals(List.of(), sound.damage());
      Map<String, String> salvaged = new TreeMap<>();
      sound.forEachRow(
          (store, bytes, offset, keyLength, imageLength, isDeleted) ->
              salvaged.put(
                  store + ":" + new String(bytes, offset, keyLength, StandardCharsets.UTF_8), ""));
      assertEquals(rows(disk).keySet(), salvaged.keySet());
    }
  }

  @Test
  void shouldCopyOnlyMissingFramesFromCheckpoint() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk);
        NodeLog other = start(otherDisk)) {
      RedoReceiver source = log.receiver();
      RedoReceiver target = other.receiver();
      copy(source, target);
      commit(sender(source), 1);
      commit(sender(target), 1);
      mark(7, source, target);
      for (int number = 2; number < 100; number++) {
        commit(sender(source), number);
      }
      mark(8, source);
      assertTrue(log.digest());
      assertTrue(copy(source, target));
      assertEquals(rows(disk), rows(otherDisk));
      for (int number = 100; number < 600; number++) {
        commit(sender(source), number);
      }
      mark(9, source);
      assertTrue(log.digest());
      assertFalse(copy(source, target)); // too much is missing for an incremental copy
      assertEquals(rows(disk), rows(otherDisk));
    }
  }

  /** The next view declares the node live, so its log must be durable before. */
  @Test
  void shouldFailCopyThatTargetCannotForce() throws IOException {
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(new MemoryDisk());
        NodeLog other = start(otherDisk)) {
      RedoReceiver source = log.receiver();
      RedoReceiver target = other.receiver();
      copy(source, target);
      commit(sender(source), 1);
      commit(sender(target), 1);
      mark(7, source, target);
      commit(sender(source), 2);
      try (LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
        while (!copy.step()) {
          // copies everything
        }
        otherDisk.forceFails = true;
        assertThrows(RedoFailedException.class, copy::finish);
        assertTrue(copy.isDifference());
      }
    }
  }

  /**
   * Entries after the common log checkpoint have been merged into a checkpoint and cannot be
   * replaced separately.
   */
  @Test
  void shouldCopyFullyIfTargetCheckpointIsPastCommonMark() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk);
        NodeLog other = start(otherDisk)) {
      RedoReceiver source = log.receiver();
      RedoReceiver target = other.receiver();
      copy(source, target);
      commit(sender(source), 1);
      commit(sender(target), 1);
      mark(7, source, target);
      commit(sender(target), 2);
      mark(8, target);
      assertTrue(other.digest());
      assertFalse(copy(source, target));
      assertEquals(rows(disk), rows(otherDisk));
    }
  }

  /** Copies a log; returns true if the copy was incremental. */
  private static boolean copy(RedoReceiver source, RedoReceiver target) {
    try (LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
      copy.run();
      return copy.isDifference();
    }
  }

  /**
   * Random appends to both logs, with copies that are abandoned and logs that are closed at random
   * points. After each completed copy both logs have the same rows.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldHaveEqualRowsAfterRandomAppendsAndCopies(long seed) throws IOException {
    Random random = new Random(seed);
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    int differences = 0;
    try (NodeLog log = start(disk)) {
      NodeLog other = start(otherDisk);
      int number = 1;
      for (int round = 0; round < 25; round++) {
        RedoReceiver source = log.receiver();
        RedoReceiver target = other.receiver();
        if (random.nextInt(3) == 0) {
          try (LogCopy given = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
            for (int step = random.nextInt(4); step > 0; step--) {
              given.step();
            }
          }
          target.close(); // the incomplete copy is discarded
          target = other.receiver();
        }
        try (LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
          copy.run();
          differences += copy.isDifference() ? 1 : 0;
        }
        assertEquals(rows(disk), rows(otherDisk), "seed=" + seed + " round=" + round);
        for (int i = random.nextInt(20); i > 0; i--) {
          appendToBoth(random, number++, sender(source), sender(target));
          if (random.nextInt(4) == 0) {
            mark(random.nextLong(), source, target);
          }
        }
        assertEquals(rows(disk), rows(otherDisk), "seed=" + seed + " round=" + round);
        for (int i = random.nextInt(4); i > 0; i--) {
          commit(sender(target), 10_000 + number++);
        }
        for (int i = random.nextInt(30); i > 0; i--) {
          appendToBoth(random, number++, sender(source));
          if (random.nextInt(9) == 0) {
            mark(random.nextLong(), source);
          }
        }
        if (random.nextInt(6) == 0) {
          log.digest();
        }
        if (random.nextInt(6) == 0) {
          other.digest();
        }
        if (random.nextBoolean()) {
          other.close();
          other = start(otherDisk);
        }
      }
      other.close();
    }
    assertTrue(differences > 5, "differences=" + differences);
  }

  private void appendToBoth(Random random, int number, RedoSender... senders) {
    boolean isLarge = random.nextInt(4) == 0;
    for (RedoSender each : senders) {
      if (isLarge) {
        commitLarge(each, number);
      } else {
        commit(each, number);
      }
    }
  }
}
