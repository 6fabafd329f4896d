package org.nelumbo.jdbc.url;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * Location of the pool in a URL: {@code mem:NAME} in this JVM, {@code file:DIRECTORY} in this JVM
 * and in the files of a directory, {@code shm:PATH} in shared files, {@code //HOST:PORT,.../NAME}
 * on memory nodes, {@code rdma://HOST:PORT,.../NAME} on memory nodes that are accessed by RDMA.
 *
 * @param name display name of the database; empty if it belongs to a single connection
 * @param path path of a pool in shared files or of a database directory; null otherwise
 * @param isDirectory true if {@code path} is a database directory
 * @param nodes addresses of the memory nodes, in order; empty if there are none
 */
public record PoolLocation(
    String text, String name, Path path, boolean isDirectory, List<String> nodes) {
  private static final String MEMORY = "mem:";
  private static final String FILE = "file:";
  private static final String SHARED = "shm:";
  private static final String REMOTE = "//";
  private static final String RDMA = "rdma:";

  static PoolLocation parse(String text) throws SQLException {
    if (text.startsWith(MEMORY)) {
      return new PoolLocation(text, text.substring(MEMORY.length()), null, false, List.of());
    }
    if (text.startsWith(FILE) && text.length() > FILE.length()) {
      Path path = real(path(text.substring(FILE.length())));
      return new PoolLocation(text, String.valueOf(path.getFileName()), path, true, List.of());
    }
    if (text.startsWith(SHARED) && text.length() > SHARED.length()) {
      Path path = path(text.substring(SHARED.length()));
      return new PoolLocation(text, String.valueOf(path.getFileName()), path, false, List.of());
    }
    String remote = text.startsWith(RDMA) ? text.substring(RDMA.length()) : text;
    int slash = remote.indexOf('/', REMOTE.length());
    if (remote.startsWith(REMOTE) && slash > REMOTE.length() && slash < remote.length() - 1) {
      List<String> nodes = List.of(remote.substring(REMOTE.length(), slash).split(",", -1));
      checkOnce(nodes);
      return new PoolLocation(text, remote.substring(slash + 1), null, false, nodes);
    }
    throw SqlExceptions.of(
        ErrorCode.CONNECTION_FAILED,
        "this version opens jdbc:nelumbo:mem:NAME (an embedded database in this JVM),"
            + " jdbc:nelumbo:file:DIRECTORY (one in files), jdbc:nelumbo:shm:PATH (a pool in"
            + " shared memory) and jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME (a pool on memory"
            + " nodes; over RDMA: jdbc:nelumbo:rdma://HOST:PORT,HOST:PORT/NAME), not '"
            + ConnectionUrl.PREFIX
            + text
            + "'");
  }

  private static Path path(String text) throws SQLException {
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw SqlExceptions.of(
          ErrorCode.CONNECTION_FAILED, "'" + text + "' is not a path: " + e.getReason());
    }
  }

  /** Resolves symbolic links in the existing part of a path, so that each directory has one key. */
  private static Path real(Path path) {
    Path there = path;
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    try {
      return there == null ? path : there.toRealPath().resolve(there.relativize(path)).normalize();
    } catch (IOException e) {
      return path; // opening the path reports the error
    }
  }

  private static void checkOnce(List<String> nodes) throws SQLException {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.indexOf(nodes.get(i)) < i) {
        throw SqlExceptions.of(
            ErrorCode.CONNECTION_FAILED,
            "memory node "
                + nodes.get(i)
                + " is named twice: name each node of the pool once, in order");
      }
    }
  }

  /** Returns true if verbs are performed by RDMA. */
  boolean isRdma() {
    return text.startsWith(RDMA);
  }

  /** Returns true if each connection has a database of its own. */
  public boolean isPrivate() {
    return path == null && name.isEmpty();
  }

  /** Returns the key of the pool, which is equal for all URLs of one pool. */
  public String key() {
    if (path != null) {
      return (isDirectory ? FILE : SHARED) + path;
    }
    return nodes.isEmpty() ? text : String.join(",", nodes);
  }
}
