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
 * Opens pools in mapped files. A path names a file, which is the only memory node, or a directory
 * with one file for each node: {@code node-0}, {@code node-1}, ... The files are sparse, so only
 * touched pages of a node take space.
 *
 * <p>The fabric holds the lock of each file until it and all its channels are closed, so that only
 * one compute node at a time uses the pool, unless it is opened with {@link #openSharing}. In all
 * other respects it is the local fabric.
 */
public final class SharedMemory {
  private SharedMemory() {}

  /**
   * Size and number of nodes that a caller requests.
   *
   * @param poolBytes total size of all nodes; 0 for the size of the existing pool
   * @param nodes number of memory nodes; 0 for the number of existing ones, or one for a new pool
   */
  public record Wanted(long poolBytes, int nodes) {}

  /**
   * Maps the nodes of an existing pool, or of a new one, which is all zero.
   *
   * @param newPoolBytes size of a new pool if the request contains none
   * @throws PoolOpenException if another process uses the pool, or the existing pool does not match
   *     the request; the message says what to do
   */
  public static Fabric open(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, PoolExpectation.ANY);
  }

  /** Maps the nodes of an existing or a new pool, if that meets the caller's expectation. */
  public static Fabric open(
      Path path, Wanted wanted, long newPoolBytes, PoolExpectation expectation) {
    return open(path, wanted, newPoolBytes, expectation, true);
  }

  /**
   * Opens a pool together with other processes that open it in the same way. They divide the pool
   * among themselves. No process can own it exclusively meanwhile.
   */
  static Fabric openShared(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, PoolExpectation.ANY, false);
  }

  /**
   * Opens or creates a pool that other processes can use as well if they open it in the same way.
   * The process owns the pool exclusively if it is unused, and otherwise shares it. The first
   * process admits others when it {@link org.nelumbo.dm.pool.SharedPool#share shares} the pool.
   *
   * @throws PoolOpenException as for {@link #open}; or if the process is not admitted within its
   *     patience
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
   * Opens a single memory node in a file, for a process that serves it to others.
   *
   * @param bytes its size; 0 for the existing size, or {@code newBytes} if it is new
   * @throws PoolOpenException as for {@link #open}
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
