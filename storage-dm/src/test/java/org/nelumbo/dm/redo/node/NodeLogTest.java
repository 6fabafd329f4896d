package org.nelumbo.dm.redo.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.redo.backup.SoundRows;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/** The log of a memory node: what is sent to it, what it tells, and its checkpoints. */
@Timeout(60)
class NodeLogTest {
  private static final int SEGMENT = 5 * RedoLayout.BLOCK;
  private static final int DROPPED = 2;

  private final Environment environment = new SystemEnvironment();
  private final RedoEntry entry = new RedoEntry();
  private DatabaseFiles files;

  /** All rows of store 2 are of no use. */
  private static final class Stores implements NodeLog.DroppedStores {
    @Override
    public IntPredicate isDropped() {
      return store -> store == DROPPED;
    }

    @Override
    public void row(
        int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted) {
      // it is known which
    }
  }

  private NodeLog start(MemoryDisk disk) throws IOException {
    RedoOptions options = RedoOptions.DEFAULT.withSegmentBytes(SEGMENT);
    GenerationDisk newest = GenerationDisk.newest(disk);
    files = DatabaseFiles.open(environment, newest, options, 7, PoolExpectation.ANY);
    NodeLog log = new NodeLog(environment, files, newest, 0, Stores::new);
    log.start();
    return log;
  }

  /** A coordinator that has a connection of its own. */
  private static RedoSender sender(RedoReceiver receiver) {
    return new RedoSender(new ReceiverLog(receiver));
  }

  private void add(int store, String key, String image) {
    byte[] bytes = (key + image).getBytes(StandardCharsets.UTF_8);
    entry.add(store, bytes, 0, key.length(), bytes.length, image.isEmpty());
  }

  private static Map<String, String> rows(MemoryDisk disk) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    DatabaseFiles.open(
            new SystemEnvironment(),
            GenerationDisk.newest(MemoryDisk.of(disk.copy())),
            RedoOptions.DEFAULT,
            7,
            PoolExpectation.EXISTING)
        .forEachRow(
            (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
              String key =
                  store + ":" + new String(bytes, offset, keyLength, StandardCharsets.UTF_8);
              String image =
                  new String(
                      bytes, offset + keyLength, imageLength - keyLength, StandardCharsets.UTF_8);
              if (isDeleted) {
                rows.remove(key);
              } else {
                rows.put(key, image);
              }
            });
    return rows;
  }

  @Test
  void shouldTellTheLastTransactionOfEachCoordinator() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoSender sender = sender(log.receiver());
      long first = TransactionId.of(9, 100, 5);
      long second = TransactionId.of(9, 100, 6);
      for (long transaction : new long[] {first, second}) {
        sender.begin();
        entry.begin();
        add(3, "k", "v");
        sender.commit(entry, transaction, transaction == first ? 70 : 80, Durability.INTERVAL);
      }
      assertEquals(80, log.committed(second));
      assertEquals(0, log.committed(first));
      assertEquals(0, log.committed(TransactionId.of(8, 100, 6)));
      log.forgetCommitted();
      assertEquals(0, log.committed(second));
      sender.begin();
      entry.begin();
      add(3, "k", "w");
      sender.commit(entry, first, 90, Durability.COMMIT);
      assertEquals(90, log.committed(first));
    }
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
  void shouldRefuseWhatIsNotAsItWasSent() throws IOException {
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
        if (at < RedoLayout.length(entry.bytes())) { // and padding behind it
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

  /** Many rounds of changes, each with a checkpoint: at last it is all there, and no more. */
  @Test
  void shouldKeepTheNewestOfEachRowInCheckpoints() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    Random random = new Random(7);
    Map<String, String> expected = new TreeMap<>();
    for (int run = 0; run < 3; run++) {
      NodeLog log = start(disk);
      Digest digest = new Digest(environment, files, Stores::new, 1_000);
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
  void shouldKeepTheNameOfThePool() throws IOException {
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
  void shouldSayThatItCannotBeWritten() throws IOException {
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

  private void commit(RedoSender sender, int number) {
    entry.begin();
    add(3, "key " + number % 100, "x".repeat(200) + number);
    sender.begin();
    sender.commit(entry, TransactionId.of(1, 1, number), number, Durability.COMMIT);
  }

  @Test
  void shouldTakeTheLogOfAnotherNodeWhileThatGoesOn() throws IOException {
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
        assertEquals(Map.of(), rows(otherDisk)); // it does not count yet
        assertFalse(copy.hasBegun() && log.digest()); // its files stay
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

  /** Of a connection, say, that the node has not noticed yet to be gone. */
  @Test
  void shouldRefuseWhatComesForALogWhosePlaceWasTaken() throws IOException {
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
      assertEquals(-1, other.current().files().marks().behind(7));
      assertNull(other.failure());
      commit(sender(other.receiver()), 3);
    }
    assertEquals(2, rows(otherDisk).size());
  }

  @Test
  void shouldKeepItsLogUntilAnotherOneIsWhole() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk);
        NodeLog other = start(otherDisk)) {
      commit(sender(log.receiver()), 1);
      commit(sender(other.receiver()), 2);
      LogCopy copy =
          new LogCopy(new ReceiverLog(log.receiver()), new ReceiverLog(other.receiver()));
      assertThrows(IllegalArgumentException.class, copy::run); // it is that of another pool
    }
    assertEquals(1, rows(otherDisk).size());
  }

  /** A node that was to be given the log is gone: the files of the live one are its own again. */
  @Test
  void shouldLetGoOfTheLogOfALiveNodeWhenTheOtherOneIsGone() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoReceiver receiver = log.receiver();
      commit(sender(receiver), 1);
      PoolLog gone =
          (PoolLog)
              Proxy.newProxyInstance(
                  PoolLog.class.getClassLoader(),
                  new Class<?>[] {PoolLog.class},
                  (proxy, method, arguments) -> {
                    throw new FabricException(1, "it is gone", null);
                  });
      Placement placement = new Placement(2, 2, 1, 1 << 20);
      View view =
          new View(
              1,
              placement,
              new NodeConnection[] {node(new ReceiverLog(receiver)), node(gone)},
              new ResyncProgress[] {null, new ResyncProgress(placement.slots())});
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 1_000_000, false, new Sharing(environment, current));
      while (!current.hasSuspects()) { // the live one may be about to look for a checkpoint
        assertFalse(logs.join(view, 1));
      }
      assertTrue(log.digest());
    }
  }

  /** The end alone would count there, without what came before. */
  @Test
  void shouldNotHaveANodeJoinInTheMiddleOfATransaction() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk)) {
      NodeLog other = start(otherDisk);
      Placement placement = new Placement(2, 2, 1, 1 << 20);
      View view =
          new View(
              1,
              placement,
              new NodeConnection[] {
                node(new ReceiverLog(log.receiver())), node(new ReceiverLog(other.receiver()))
              },
              new ResyncProgress[] {null, new ResyncProgress(placement.slots())});
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 1_000_000, false, new Sharing(environment, current));
      RedoSender sender = new RedoSender(logs);
      long transaction = TransactionId.of(1, 1, 1);
      sender.begin();
      entry.begin();
      add(3, "part", "y");
      sender.part(entry, transaction);
      for (int attempt = 0; attempt < 200; attempt++) {
        assertFalse(logs.join(view, 1));
      }
      entry.begin();
      add(3, "end", "z");
      sender.commit(entry, transaction, 5, Durability.COMMIT);
      while (!logs.join(view, 1)) {
        assertFalse(current.hasSuspects());
      }
      assertEquals(rows(disk), rows(otherDisk));
      other.close();
    }
  }

  /** One compute node gives a node a log, and others have connections to the node, too. */
  @Test
  void shouldAppendToTheLogThatANodeWasGivenBySomebodyElse() throws IOException {
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

  private static void mark(long id, RedoReceiver... receivers) {
    byte[] mark = RedoEntry.mark(id);
    for (RedoReceiver each : receivers) {
      each.append(0, mark, 0, mark.length, false);
    }
  }

  private void commitLarge(RedoSender sender, int number) {
    long transaction = TransactionId.of(1, 1, number);
    sender.begin();
    for (int part = 0; part < 3; part++) {
      entry.begin();
      add(3, "large " + part, "y".repeat(300) + number);
      sender.part(entry, transaction);
    }
    entry.begin();
    add(3, "large", "y" + number);
    sender.commit(entry, transaction, number, Durability.COMMIT);
  }

  @Test
  void shouldBeGivenOnlyWhatItMisses() throws IOException {
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
      commit(sender(target), 900); // of somebody who has died, and nobody else has it
      Map<String, String> before = rows(otherDisk);
      commit(sender(source), 301);
      commitLarge(sender(source), 302);
      LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target));
      while (!copy.step()) {
        assertEquals(before, rows(otherDisk)); // it does not count yet
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
  void shouldBeGivenOnlyWhatItMissesWhenACheckpointHasIt() throws IOException {
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
      assertFalse(copy(source, target)); // what it misses is too much to be kept
      assertEquals(rows(disk), rows(otherDisk));
    }
  }

  /** The next view has the node as live. */
  @Test
  void shouldHaveOnTheDiskWhatItMissedBeforeItSaysSo() throws IOException {
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
          // it goes on
        }
        otherDisk.forceFails = true;
        assertThrows(RedoFailedException.class, copy::finish);
        assertTrue(copy.isDifference());
      }
    }
  }

  /** What lies behind the common mark has gone into a checkpoint, and cannot be replaced. */
  @Test
  void shouldBeGivenAllWhenItsOwnCheckpointHasMoreThanTheCommonMark() throws IOException {
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

  /** Copies a log; whether only what was missing. */
  private static boolean copy(RedoReceiver source, RedoReceiver target) {
    try (LogCopy copy = new LogCopy(new ReceiverLog(source), new ReceiverLog(target))) {
      copy.run();
      return copy.isDifference();
    }
  }

  /** Half of it would be on the wrong side. */
  @Test
  void shouldNotTakeAMarkWithinATransaction() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoReceiver receiver = log.receiver();
      RedoSender sender = sender(receiver);
      sender.begin();
      entry.begin();
      add(3, "k", "v");
      sender.part(entry, TransactionId.of(1, 1, 1));
      mark(7, receiver);
      assertEquals(-1, files.marks().behind(7));
      entry.begin();
      sender.commit(entry, TransactionId.of(1, 1, 1), 5, Durability.COMMIT);
      mark(8, receiver);
      assertTrue(files.marks().behind(8) > 0);
    }
  }

  /** There is always one that has begun and has not ended; without marks logs grow on and on. */
  @Test
  void shouldHoldBackTransactionsOfSeveralFramesWhenNoMarkCanBeTaken() throws Exception {
    try (NodeLog log = start(new MemoryDisk());
        NodeLog other = start(new MemoryDisk())) {
      View view =
          new View(
              1,
              new Placement(2, 2, 1, 1 << 20),
              new NodeConnection[] {node(connections(log)), node(connections(other))},
              new ResyncProgress[2]);
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 100_000, false, new Sharing(environment, current));
      logs.start();
      AtomicInteger begun = new AtomicInteger();
      AtomicInteger slots = new AtomicInteger();
      Callable<Void> commits =
          () -> {
            RedoSender sender = new RedoSender(logs);
            RedoEntry own = new RedoEntry();
            long transaction = TransactionId.of(1, slots.incrementAndGet(), 1);
            while (log.marks().length == Long.BYTES) {
              sender.begin();
              own.begin();
              sender.part(own, transaction);
              awaitMore(begun, begun.incrementAndGet());
              own.begin();
              sender.commit(own, transaction, 1, Durability.INTERVAL);
            }
            return null;
          };
      try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
        for (Future<Void> each : threads.invokeAll(List.of(commits, commits))) {
          each.get();
        }
      }
      logs.stop();
      logs.close();
      assertArrayEquals(
          Arrays.copyOfRange(log.marks(), 8, 16), Arrays.copyOfRange(other.marks(), 8, 16));
    }
  }

  /** Waits until somebody else has begun, unless all of them are held back. */
  private static void awaitMore(AtomicInteger begun, int own) throws InterruptedException {
    for (int pauses = 0; begun.get() == own && pauses < 200; pauses++) {
      Thread.sleep(1);
    }
  }

  /** Connections to a log, one for each who appends. */
  private static PoolLog connections(NodeLog log) {
    return (PoolLog)
        Proxy.newProxyInstance(
            PoolLog.class.getClassLoader(),
            new Class<?>[] {PoolLog.class},
            (proxy, method, arguments) ->
                method.invoke(new ReceiverLog(log.receiver()), arguments));
  }

  /**
   * Whatever was appended to which log, and wherever a replacement was given up or a log closed.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldHaveTheSameRowsAfterAnything(long seed) throws IOException {
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
          target.close(); // and what it was given so far does not count
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

  /** A memory node of which nothing but the log is used. */
  private static NodeConnection node(PoolLog log) {
    return new NodeConnection() {
      @Override
      public Channel openChannel(MemorySegment staging) {
        throw new UnsupportedOperationException();
      }

      @Override
      public long nodeBytes() {
        return 0;
      }

      @Override
      public boolean isRemote() {
        return false;
      }

      @Override
      public PoolLog log() {
        return log;
      }

      @Override
      public void close() {}
    };
  }
}
