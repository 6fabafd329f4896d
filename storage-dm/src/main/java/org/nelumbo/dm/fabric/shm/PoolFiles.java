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
import org.nelumbo.dm.disk.SystemFile;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;

/** The files of a pool: their names, and how they are opened, created, and mapped. */
final class PoolFiles {
  private static final String NODE_FILE = "node-";
  private static final int NODES_MAX = 256;
  private static final Pattern NODE_NAME = Pattern.compile(NODE_FILE + "(0|[1-9]\\d{0,2})");
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final SharedMemory.Wanted wanted;
  private final long newPoolBytes;
  private final PoolExpectation expectation;

  PoolFiles(Path path, SharedMemory.Wanted wanted, long newPoolBytes, PoolExpectation expectation) {
    this.path = path;
    this.wanted = wanted;
    this.newPoolBytes = newPoolBytes;
    this.expectation = expectation;
  }

  /** Returns the location of the table of processes that use the pool. */
  TenantFiles tenants() {
    Path first = nodePaths(path, wanted.nodes()).getFirst();
    return new TenantFiles(first.toAbsolutePath(), first.equals(path));
  }

  /** Returns the current file of the first node; null if it is missing. */
  SystemFile.Identity identity() {
    return SystemFile.identity(nodePaths(path, wanted.nodes()).getFirst());
  }

  /**
   * Opens and locks the files; creates missing ones.
   *
   * @throws org.nelumbo.dm.pool.PoolInUseException if another process has locked one
   */
  List<NodeFile> open(boolean exclusive) {
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
      return files;
    } catch (RuntimeException | Error e) {
      files.forEach(NodeFile::release);
      throw e;
    }
  }

  /**
   * Maps opened files, which may be new.
   *
   * @param isAlone true if no other process uses the files, so that their pages can be checked
   */
  void map(List<NodeFile> files, boolean isAlone) {
    files.forEach(file -> file.withChecksums(isAlone));
    if (files.stream().allMatch(NodeFile::isNew)) {
      expectation.checkAbsent(path.toString());
    }
    long nodeBytes = nodeBytes(files, wanted, newPoolBytes);
    for (NodeFile file : files) {
      if (file.formattedBytes() == 0) {
        file.markNew();
      }
      file.map(nodeBytes);
      if (isAlone) {
        file.checkPages();
        file.unseal();
      }
    }
  }

  /**
   * Returns the paths of the files of a pool, which need not exist.
   *
   * @param nodes number of nodes; 0 for the number of existing files
   */
  static List<Path> nodePaths(Path path, int nodes) {
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
              + " were requested: omit nodes=, or name another directory path="
              + path);
    }
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < Math.max(1, Math.max(found, nodes)); i++) {
      paths.add(path.resolve(NODE_FILE + i));
    }
    return paths;
  }

  /**
   * Returns the number of memory node files in a directory.
   *
   * @throws PoolOpenException if the numbers have a gap, or do not start at 0
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
                + "; restore it, or remove the others to create a new pool path="
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
      throw new PoolOpenException("cannot create the directory " + path + " for the pool: " + e, e);
    }
  }

  static long nodeBytes(List<NodeFile> files, SharedMemory.Wanted wanted, long newPoolBytes) {
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

  static void checkWanted(long nodeBytes, long poolBytes, int nodes, Path path) {
    if (poolBytes != 0 && rounded(poolBytes / nodes) != nodeBytes) {
      throw new PoolOpenException(
          "the pool has "
              + nodeBytes * nodes
              + " bytes, memory= requests "
              + poolBytes
              + ": omit memory=; a pool keeps the size it was created with path="
              + path);
    }
  }

  static void checkUntruncated(NodeFile file, long formatted) {
    if (file.fileBytes() < formatted) {
      throw new PoolOpenException(
          "the memory node's file was truncated: it has "
              + file.fileBytes()
              + " bytes of "
              + formatted
              + "; restore all of it, or remove the pool's files to create a new pool file="
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
          "the file is not a Nelumbo memory pool, and it is not empty: name another; it"
              + " was not changed file="
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
              + ": set memory=SIZE to less than that, or name another location path="
              + files.getFirst().path());
    }
    return nodeBytes;
  }

  private static long rounded(long bytes) {
    return (bytes + 4095) & -4096;
  }
}
