package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
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
  private static final String NODE_FILE = "node-";
  private static final int NODES_MAX = 256;

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
    return open(path, wanted, newPoolBytes, true);
  }

  /**
   * Opens a pool beside other processes that open it in this way, too: for processes that share out
   * the pool among themselves. Nobody has it alone meanwhile.
   */
  public static Fabric openShared(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, false);
  }

  private static Fabric open(Path path, Wanted wanted, long newPoolBytes, boolean exclusive) {
    List<Path> paths = nodePaths(path, wanted.nodes());
    List<NodeFile> files = new ArrayList<>();
    try {
      for (Path each : paths) {
        files.add(NodeFile.open(each, exclusive));
      }
      long nodeBytes = nodeBytes(files, wanted, newPoolBytes);
      for (NodeFile file : files) {
        if (file.formattedBytes() == 0) {
          file.markNew();
        }
        file.map(nodeBytes);
      }
      return new LocalFabric(files.toArray(NodeMemory[]::new));
    } catch (RuntimeException | Error e) {
      files.forEach(NodeFile::release);
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
    NodeFile file = NodeFile.open(path, true);
    try {
      if (file.replicatedBytes() > 0) {
        checkUntruncated(file, file.replicatedBytes());
        checkWanted(file.replicatedBytes(), bytes, 1, file.path());
        return file.map(file.replicatedBytes());
      }
      long nodeBytes = nodeBytes(List.of(file), new Wanted(bytes, 1), newBytes);
      if (file.formattedBytes() == 0) {
        file.markNew();
      }
      return file.map(nodeBytes);
    } catch (RuntimeException | Error e) {
      file.release();
      throw e;
    }
  }

  private static List<Path> nodePaths(Path path, int nodes) {
    boolean one = nodes <= 1 && !path.toString().endsWith("/") && !Files.isDirectory(path);
    if (one) {
      return List.of(path);
    }
    int found = 0;
    while (found < NODES_MAX && Files.exists(path.resolve(NODE_FILE + found))) {
      found++;
    }
    if (nodes > NODES_MAX) {
      throw new PoolOpenException("a pool has up to " + NODES_MAX + " memory nodes, not " + nodes);
    }
    if (found > 0 && nodes > 0 && nodes != found) {
      throw new PoolOpenException(
          "the pool has "
              + found
              + " memory nodes, "
              + nodes
              + " are wanted: leave nodes= away, or name another directory path="
              + path);
    }
    makeDirectory(path);
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < Math.max(1, Math.max(found, nodes)); i++) {
      paths.add(path.resolve(NODE_FILE + i));
    }
    return paths;
  }

  private static void makeDirectory(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectory(path);
      }
    } catch (IOException e) {
      throw new PoolOpenException("cannot make the directory " + path + " for the pool: " + e, e);
    }
  }

  private static long nodeBytes(List<NodeFile> files, Wanted wanted, long newPoolBytes) {
    long formatted = 0;
    for (NodeFile file : files) {
      long bytes = file.formattedBytes();
      checkUntruncated(file, bytes);
      formatted = Math.max(formatted, bytes);
    }
    if (formatted == 0) {
      return newNodeBytes(files, wanted.poolBytes() == 0 ? newPoolBytes : wanted.poolBytes());
    }
    checkWanted(formatted, wanted.poolBytes(), files.size(), files.getFirst().path());
    return formatted;
  }

  private static void checkWanted(long nodeBytes, long poolBytes, int nodes, Path path) {
    if (poolBytes != 0 && rounded(poolBytes / nodes) != nodeBytes) {
      throw new PoolOpenException(
          "the pool has "
              + nodeBytes * nodes
              + " bytes, memory= asks for "
              + poolBytes
              + ": leave memory= away; a pool keeps the size it was made with path="
              + path);
    }
  }

  private static void checkUntruncated(NodeFile file, long formatted) {
    if (file.fileBytes() < formatted) {
      throw new PoolOpenException(
          "the memory node's file was truncated: it has "
              + file.fileBytes()
              + " bytes of "
              + formatted
              + "; restore all of it, or remove the pool's files to begin anew file="
              + file.path());
    }
    if (formatted == 0 && file.replicatedBytes() > 0) {
      throw new PoolOpenException(
          "the file is that of a memory node of a pool with copies: start the node with nelumbo"
              + " memory-node --data, and attach to all nodes of the pool file="
              + file.path());
    }
    if (formatted == 0 && !file.isNew()) {
      throw new PoolOpenException(
          "the file is not a Nelumbo memory pool, and it is not empty: name another; it is left as"
              + " it is file="
              + file.path());
    }
  }

  private static long newNodeBytes(List<NodeFile> files, long poolBytes) {
    long nodeBytes = rounded(poolBytes / files.size());
    if (nodeBytes <= SuperblockLayout.LENGTH || nodeBytes > 1L << PoolAddress.OFFSET_BITS) {
      throw new PoolOpenException(
          "a memory node has more than 4 KiB and up to 1 TiB, not " + nodeBytes + " bytes");
    }
    long usable = files.getFirst().usableBytes();
    if (usable < nodeBytes * files.size()) {
      throw new PoolOpenException(
          "the file system has "
              + usable
              + " bytes left, the pool may grow to "
              + nodeBytes * files.size()
              + ": say memory=SIZE with less than that, or name another place path="
              + files.getFirst().path());
    }
    return nodeBytes;
  }

  private static long rounded(long bytes) {
    return (bytes + 4095) & -4096;
  }
}
