package org.nelumbo.dm.fabric.shm;

import java.nio.file.Path;
import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Opens pools in mapped files: a path is a file, the only memory node; or a directory with a file
 * for each, {@code node-0}, {@code node-1}, ... The files are sparse: a node costs what was touched
 * of it.
 *
 * <p>The fabric holds the lock of each file until it and all its channels are closed, so that only
 * one compute node at a time has the pool. It is the local fabric in all else.
 */
public final class SharedMemory {
  private SharedMemory() {}

  /**
   * Size and number of nodes that a caller asks for.
   *
   * @param poolBytes size of all nodes together; 0: as large as it is, which a new pool cannot be
   * @param nodes memory nodes; 0: as many as there are, one for a new pool
   */
  public record Wanted(long poolBytes, int nodes) {}

  /**
   * Maps the nodes of a pool that is there, or of a new one, all zero.
   *
   * @param newPoolBytes size of a new pool if the wish says none
   * @throws PoolOpenException if somebody else has the pool, or what is there is not what is
   *     wanted; the message says what to do
   */
  public static Fabric open(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, PoolExpectation.ANY);
  }

  /** Maps the nodes of a pool that is there, or of a new one, as the caller expects it. */
  public static Fabric open(
      Path path, Wanted wanted, long newPoolBytes, PoolExpectation expectation) {
    return open(path, wanted, newPoolBytes, expectation, true);
  }

  /**
   * Opens a pool beside other processes that open it in this way, too: for processes that share out
   * the pool among themselves. Nobody has it alone meanwhile.
   */
  static Fabric openShared(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, PoolExpectation.ANY, false);
  }

  /**
   * Opens a pool, or makes one, which other processes may have, too, if they open it in this way:
   * alone, if nobody has it, else beside those who have it. The first one lets others in when it
   * {@link org.nelumbo.dm.pool.SharedPool#share shares} it.
   *
   * @throws PoolOpenException as {@link #open}; if it is not let in, after the patience
   */
  public static Fabric openSharing(
      Environment environment,
      Path path,
      Wanted wanted,
      long newPoolBytes,
      PoolExpectation expectation,
      SharingOptions sharing) {
    PoolFiles files = new PoolFiles(path, wanted, newPoolBytes, expectation);
    return new PoolEntrance(environment, files, sharing).enter();
  }

  private static Fabric open(
      Path path, Wanted wanted, long newPoolBytes, PoolExpectation expectation, boolean exclusive) {
    PoolFiles files = new PoolFiles(path, wanted, newPoolBytes, expectation);
    List<NodeFile> opened = files.open(exclusive);
    try {
      files.map(opened, exclusive);
      return new LocalFabric(opened.toArray(NodeMemory[]::new));
    } catch (RuntimeException | Error e) {
      opened.forEach(NodeFile::release);
      throw e;
    }
  }

  /**
   * One memory node alone in a file, for a process that lets others reach it.
   *
   * @param bytes its size; 0: as large as it is, {@code newBytes} if it is new
   * @throws PoolOpenException as {@link #open}
   */
  public static NodeMemory openNode(Path path, long bytes, long newBytes) {
    NodeFile file = NodeFile.open(path, true, true);
    try {
      file.withChecksums(true).map(nodeBytes(file, bytes, newBytes)).checkPages();
      return file;
    } catch (RuntimeException | Error e) {
      file.release();
      throw e;
    }
  }

  private static long nodeBytes(NodeFile file, long bytes, long newBytes) {
    if (file.replicatedBytes() > 0) {
      PoolFiles.checkUntruncated(file, file.replicatedBytes());
      PoolFiles.checkWanted(file.replicatedBytes(), bytes, 1, file.path());
      return file.replicatedBytes();
    }
    long nodeBytes = PoolFiles.nodeBytes(List.of(file), new Wanted(bytes, 1), newBytes);
    if (file.formattedBytes() == 0) {
      file.markNew();
    }
    return nodeBytes;
  }
}
