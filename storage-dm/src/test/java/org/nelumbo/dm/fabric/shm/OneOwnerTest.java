package org.nelumbo.dm.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.fabric.shm.SharedMemory.Wanted;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Tests that a pool file has one owner at a time, by whatever name it is opened, and that only its
 * user can read it.
 */
class OneOwnerTest {
  private static final Wanted SIZE = new Wanted(1 << 20, 1);

  @TempDir private Path directory;

  private Fabric open(String name) {
    return SharedMemory.open(directory.resolve(name), SIZE, 0);
  }

  private void assertRefused(String name, String why) {
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> open(name).close());
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  /** Asserts that opening the file again, as another process would, does not get the lock. */
  private void assertLocked(String name) throws Exception {
    try (SystemFile other = SystemFile.open(directory.resolve(name), false)) {
      assertFalse(other.tryLock(true), "the lock is lost");
    }
  }

  @Test
  void shouldKeepLockDespiteFileAccessInSameProcess() throws Exception {
    try (Fabric pool = open("pool")) {
      assertEquals(1, pool.nodeCount());
      assertLocked("pool");
      Files.copy(directory.resolve("pool"), directory.resolve("copy"));
      assertLocked("pool");
      FileChannel.open(directory.resolve("pool"), StandardOpenOption.READ).close();
      assertLocked("pool");
      assertRefused("pool", "open in this process already");
      assertLocked("pool");
    }
    try (SystemFile other = SystemFile.open(directory.resolve("pool"), false)) {
      assertTrue(other.tryLock(true), "nobody has it any more");
    }
  }

  @Test
  void shouldRecognizeFileByAnyName() throws Exception {
    try (Fabric pool = open("pool")) {
      assertEquals(1, pool.nodeCount());
      Files.createLink(directory.resolve("hard"), directory.resolve("pool"));
      assertRefused("hard", "open in this process already");
      Files.createSymbolicLink(directory.resolve("soft"), directory.resolve("pool"));
      assertRefused("soft", "symbolic link");
      Files.createSymbolicLink(directory.resolve("way"), directory);
      assertRefused("way/pool", "open in this process already");
      assertLocked("pool");
    }
    open("hard").close();
  }

  @Test
  void shouldRecognizeFileInOtherClassLoader() throws Exception {
    List<URL> path = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(part).toUri().toURL());
    }
    try (Fabric pool = open("pool");
        URLClassLoader loader =
            new URLClassLoader(
                "another", path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertEquals(1, pool.nodeCount());
      Class<?> other = loader.loadClass(SharedMemory.class.getName());
      Class<?> wanted = loader.loadClass(Wanted.class.getName());
      Object size = wanted.getConstructor(long.class, int.class).newInstance(1L << 20, 1);
      Method open = other.getMethod("open", Path.class, wanted, long.class);
      Throwable e =
          assertThrows(
                  InvocationTargetException.class,
                  () -> open.invoke(null, directory.resolve("pool"), size, 0L))
              .getCause();
      assertInstanceOf(loader.loadClass(PoolOpenException.class.getName()), e);
      assertTrue(e.getMessage().contains("open in this process already"), e.getMessage());
      assertTrue(e.getMessage().contains("class loader app"), e.getMessage());
      assertLocked("pool");
    }
  }

  @Test
  void shouldCreateFilesReadableByUserOnly() throws Exception {
    SharedMemory.open(directory.resolve("nodes"), new Wanted(2 << 20, 2), 0).close();
    assertEquals("rwx------", permissions("nodes"));
    assertEquals("rw-------", permissions("nodes/node-1"));
    open("pool").close();
    assertEquals("rw-------", permissions("pool"));
  }

  private String permissions(String name) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
  }

  @Test
  void shouldReportRemovedOrReplacedFile() throws Exception {
    Path file = directory.resolve("pool");
    try (Fabric pool = open("pool")) {
      assertEquals("", pool.nodeProblem(0));
      Files.move(file, directory.resolve("aside"));
      assertTrue(pool.nodeProblem(0).contains("was removed"), pool.nodeProblem(0));
      Files.writeString(file, "something else");
      assertTrue(pool.nodeProblem(0).contains("was replaced"), pool.nodeProblem(0));
      Files.move(directory.resolve("aside"), file, StandardCopyOption.ATOMIC_MOVE);
      assertEquals("", pool.nodeProblem(0));
    }
  }

  @Test
  void shouldAllocateFileBlocks() throws Exception {
    NodeFile file = NodeFile.open(directory.resolve("pool"), true, true).map(1 << 20);
    assertEquals(0, blocks("pool"));
    assertTrue(file.allocate(8192, 65536));
    assertTrue(blocks("pool") >= 128, "blocks=" + blocks("pool"));
    assertTrue(file.populate(0, 4096));
    file.release();
  }

  private long blocks(String name) throws Exception {
    Process process =
        new ProcessBuilder("stat", "-c", "%b", directory.resolve(name).toString()).start();
    return Long.parseLong(
        new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
  }
}
