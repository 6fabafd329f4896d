package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.error.NelumboException;

/** CHECK DATABASE when the memory of a node has changed by itself. */
@Timeout(60)
class CopiesCheckTest {
  private static final MemoryNode.Options OPTIONS =
      MemoryNode.Options.DEFAULT.withLeaseNanos(1_000_000_000L);
  private static final String TEXT = "find me in the memory of a node";

  private final List<NodeMemory> memories = new ArrayList<>();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private LocalDatabase database;

  private Sql open(int copies) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int node = 0; node < copies; node++) {
      addresses.add(start(OPTIONS).toString());
    }
    NodeAddress witness = start(OPTIONS.asWitness());
    database =
        DatabaseOpener.openRemote(
            DatabaseOptions.defaults(),
            addresses,
            Secrets.NONE,
            null,
            null,
            copies,
            List.of(witness));
    return new Sql(database)
        .run(
            "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100))",
            "INSERT INTO t VALUES (1, '" + TEXT + "')");
  }

  private NodeAddress start(MemoryNode.Options options) throws IOException {
    memories.add(LocalMemory.reserve(16 << 20));
    nodes.add(
        new MemoryNode(
            new SystemEnvironment(), memories.getLast(), new NodeAddress("127.0.0.1", 0), options));
    nodes.getLast().start();
    return nodes.getLast().address();
  }

  /** Flips a bit in each occurrence of the text in the memory of a node. */
  private void flip(int node) {
    NodeMemory memory = memories.get(node);
    MemorySegment bytes = MemorySegment.ofAddress(memory.address()).reinterpret(memory.bytes());
    byte[] text = TEXT.getBytes(StandardCharsets.US_ASCII);
    int found = 0;
    for (long at = 0; at + text.length <= bytes.byteSize(); at++) {
      boolean isThere = bytes.get(ValueLayout.JAVA_BYTE, at) == text[0];
      for (int i = 1; isThere && i < text.length; i++) {
        isThere = bytes.get(ValueLayout.JAVA_BYTE, at + i) == text[i];
      }
      if (isThere) {
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (text[0] ^ 1));
        found++;
      }
    }
    assertTrue(found > 0);
  }

  @Test
  void shouldRepairDeviatingCopyOfThree() throws IOException {
    Sql sql = open(3);
    sql.run("CHECK DATABASE");
    for (int node = 0; node < 3; node++) {
      flip(node);
      NelumboException e = assertThrows(NelumboException.class, () -> sql.run("CHECK DATABASE"));
      assertEquals("XX001", e.sqlState());
      assertTrue(e.getMessage().contains("repaired"), e.getMessage());
      while (database.engine().fabric().liveCopies() < 3) {
        LockSupport.parkNanos(1_000_000); // the node is filled from one that is flipped next
      }
      sql.run("CHECK DATABASE");
      assertEquals(List.of(TEXT), sql.query("SELECT v FROM t"));
    }
    assertEquals(
        List.of("7 0"), sql.query("SELECT rounds || ' ' || differing_words FROM SYS.SCRUB"));
  }

  @Test
  void shouldReportDifferenceBetweenTwoCopies() throws IOException {
    Sql sql = open(2);
    flip(1);
    for (int i = 0; i < 2; i++) {
      NelumboException e = assertThrows(NelumboException.class, () -> sql.run("CHECK DATABASE"));
      assertTrue(e.getMessage().contains("the correct value is unknown"), e.getMessage());
    }
    List<String> found = sql.query("SELECT problem FROM SYS.FINDINGS");
    assertTrue(found.getFirst().contains("address="), found.toString());
  }

  @Test
  void shouldReportNoDefectsDuringConcurrentWrites() throws Exception {
    Sql sql = open(3);
    AtomicInteger written = new AtomicInteger(10);
    AtomicBoolean isOver = new AtomicBoolean();
    FutureTask<Void> writer =
        new FutureTask<>(
            () -> {
              try (Sql other = new Sql(database)) {
                for (int i = 10; !isOver.get(); i++) {
                  other.run(
                      "INSERT INTO t VALUES (" + i + ", 'a text')",
                      "UPDATE t SET v = v || 'x' WHERE id = " + i,
                      "DELETE FROM t WHERE id = " + (i - 5));
                  written.set(i);
                }
              }
            },
            null);
    Thread.ofPlatform().start(writer);
    try {
      for (int i = 0; i < 5 || written.get() < 30 && !writer.isDone(); i++) {
        sql.run("CHECK DATABASE");
        assertEquals(List.of(), sql.query("SELECT problem FROM SYS.FINDINGS"));
      }
    } finally {
      isOver.set(true);
    }
    writer.get(); // it has not failed
    String last = String.valueOf(written.get());
    assertEquals(List.of(last), sql.query("SELECT MAX(id) FROM t WHERE v = 'a textx'"));
  }

  @AfterEach
  void close() {
    if (database != null) {
      database.close();
    }
    nodes.forEach(MemoryNode::close);
  }
}
