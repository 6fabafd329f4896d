package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.error.NelumboException;

/** Sessions and transactions with and without a wait for the disk, on one database. */
@Timeout(60)
class DurabilityTest {
  private static final long MEMORY = 64L << 20;

  @TempDir private Path directory;

  /** Permits for forces while the gate is closed; each force takes one. */
  private final Semaphore gate = new Semaphore(0);

  private final Semaphore waiting = new Semaphore(0);
  private volatile boolean isGated;

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private LocalDatabase database;

  @BeforeEach
  void open() {
    SystemEnvironment environment = new SystemEnvironment();
    database =
        DatabaseOpener.openFiles(
            DatabaseOptions.defaults().withMemoryBytes(MEMORY),
            environment,
            () -> new GatedDisk(DirectoryDisk.open(directory.resolve("db"), "test")),
            () -> new LocalFabric(MEMORY, environment));
    try (Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (a INT PRIMARY KEY)");
    }
  }

  @AfterEach
  void close() {
    openGate();
    clients.shutdownNow();
    database.close();
  }

  private void openGate() {
    isGated = false;
    gate.release(1000);
  }

  @Test
  void shouldDelayDurableReadersUntilCommitIsOnDisk() throws Exception {
    try (Sql careless = new Sql(database);
        Sql careful = new Sql(database)) {
      assertEquals(List.of("commit"), careless.query("SHOW DURABILITY"));
      careless.run("SET DURABILITY = none");
      isGated = true;
      careless.run("INSERT INTO t VALUES (1)");
      assertEquals(List.of("1"), careless.query("SELECT a FROM t"), "its own commit");
      Future<List<String>> seen = clients.submit(() -> careful.query("SELECT a FROM t"));
      waiting.acquire();
      assertFalse(seen.isDone(), "it was told what may be lost");
      openGate();
      assertEquals(List.of("1"), seen.get(), "what was acknowledged before");
    }
  }

  @Test
  void shouldSetItForOneTransaction() throws Exception {
    try (Sql sql = Sql.transactions(database)) {
      isGated = true;
      sql.run("SET LOCAL durability TO none", "INSERT INTO t VALUES (1)");
      assertEquals(List.of("none"), sql.query("SHOW durability"));
      sql.run("COMMIT");
      assertEquals(List.of("commit"), sql.query("SHOW durability"));
      Future<?> next = clients.submit(() -> sql.run("INSERT INTO t VALUES (2)", "COMMIT"));
      waiting.acquire();
      assertFalse(next.isDone());
      openGate();
      next.get();
    }
  }

  @Test
  void shouldForceLogInBackgroundAtIntervalDurability() throws Exception {
    try (Sql sql = new Sql(database)) {
      sql.run("SET DURABILITY TO interval");
      isGated = true;
      sql.run("INSERT INTO t VALUES (1)");
      waiting.acquire();
      sql.run("SET durability = 'commit'", "RESET DURABILITY");
      String message =
          assertThrows(NelumboException.class, () -> sql.run("SET DURABILITY = often"))
              .getMessage();
      assertTrue(message.contains("commit, interval or none"), message);
    }
  }

  @Test
  void shouldRejectDurableCommitsOfInMemoryDatabase() {
    try (Database memory = Sql.memory();
        Sql sql = new Sql(memory)) {
      assertEquals(List.of("none"), sql.query("SHOW DURABILITY"));
      sql.run("SET DURABILITY = none");
      NelumboException refused =
          assertThrows(NelumboException.class, () -> sql.run("SET DURABILITY = commit"));
      assertEquals("0A000", refused.sqlState());
    }
  }

  /** A disk whose log is forced only when the gate permits. */
  private final class GatedDisk implements Disk {
    private final Disk disk;

    GatedDisk(Disk disk) {
      this.disk = disk;
    }

    @Override
    public List<String> list() throws IOException {
      return disk.list();
    }

    @Override
    public DiskFile create(String name) throws IOException {
      return new GatedFile(disk.create(name));
    }

    @Override
    public DiskFile open(String name) throws IOException {
      return new GatedFile(disk.open(name));
    }

    @Override
    public void delete(String name) throws IOException {
      disk.delete(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      disk.rename(from, to);
    }

    @Override
    public void forceNames() throws IOException {
      disk.forceNames();
    }

    @Override
    public String location() {
      return disk.location();
    }

    @Override
    public void close() {
      disk.close();
    }
  }

  private final class GatedFile implements DiskFile {
    private final DiskFile file;

    GatedFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void write(ByteBuffer source, long offset) throws IOException {
      file.write(source, offset);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      return file.read(target, offset);
    }

    @Override
    public void force() throws IOException {
      if (isGated) {
        waiting.release();
        gate.acquireUninterruptibly();
      }
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
