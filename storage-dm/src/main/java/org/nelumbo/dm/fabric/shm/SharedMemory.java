package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
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
  private static final String NODE_FILE = "node-";
  private static final int NODES_MAX = 256;
  private static final Pattern NODE_NAME = Pattern.compile(NODE_FILE + "(0|[1-9]\\d{0,2})");
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

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
  public static Fabric openShared(Path path, Wanted wanted, long newPoolBytes) {
    return open(path, wanted, newPoolBytes, PoolExpectation.ANY, false);
  }

  private static Fabric open(
      Path path, Wanted wanted, long newPoolBytes, PoolExpectation expectation, boolean exclusive) {
    List<Path> paths = nodePaths(path, wanted.nodes());
    if (paths.stream().noneMatch(Files::exists)) {
      expectation.checkAbsent(path.toString());
      makeDirectory(paths.getFirst().equals(path) ? null : path);
    }
    List<NodeFile> files = new ArrayList<>();
    try {
      for (Path each : paths) {
        files.add(NodeFile.open(each, exclusive, true));
      }
      if (files.stream().allMatch(NodeFile::isNew)) {
        expectation.checkAbsent(path.toString());
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
    NodeFile file = NodeFile.open(path, true, true);
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
    int found = nodeFiles(path);
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
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < Math.max(1, Math.max(found, nodes)); i++) {
      paths.add(path.resolve(NODE_FILE + i));
    }
    return paths;
  }

  /**
   * Number of files of memory nodes in a directory.
   *
   * @throws PoolOpenException if one is missing between others, or before them
   */
  private static int nodeFiles(Path directory) {
    TreeSet<Integer> found = new TreeSet<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        files
            .map(file -> NODE_NAME.matcher(file.getFileName().toString()))
            .filter(Matcher::matches)
            .forEach(name -> found.add(Integer.parseInt(name.group(1))));
      } catch (IOException e) {
        throw new PoolOpenException("cannot read the directory " + directory + ": " + e, e);
      }
    }
    for (int node = 0; node < found.size(); node++) {
      if (!found.contains(node)) {
        throw new PoolOpenException(
            "a part of the pool is missing: there are node-"
                + found.stream().map(String::valueOf).collect(Collectors.joining(", node-"))
                + ", but no node-"
                + node
                + "; restore it, or remove the others to begin anew path="
                + directory);
      }
    }
    return found.size();
  }

  private static void makeDirectory(Path path) {
    try {
      if (path != null && !Files.isDirectory(path)) {
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
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
