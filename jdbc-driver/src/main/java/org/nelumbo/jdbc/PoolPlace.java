package org.nelumbo.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import org.nelumbo.executor.error.ErrorCode;

/**
 * Where the pool of a URL is: {@code mem:NAME} in this JVM, {@code shm:PATH} in shared files.
 *
 * @param name the database's name for people; empty if it is the connection's own
 * @param path of a pool in shared files, else null
 */
record PoolPlace(String text, String name, Path path) {
  private static final String MEMORY = "mem:";
  private static final String SHARED = "shm:";

  static PoolPlace parse(String text) throws SQLException {
    if (text.startsWith(MEMORY)) {
      return new PoolPlace(text, text.substring(MEMORY.length()), null);
    }
    if (text.startsWith(SHARED) && text.length() > SHARED.length()) {
      Path path = Path.of(text.substring(SHARED.length())).toAbsolutePath().normalize();
      return new PoolPlace(text, String.valueOf(path.getFileName()), path);
    }
    throw Errors.of(
        ErrorCode.CONNECTION_FAILED,
        "this version opens jdbc:nelumbo:mem:NAME (an embedded database in this JVM) and"
            + " jdbc:nelumbo:shm:PATH (a pool in shared memory), not '"
            + ConnectionUrl.PREFIX
            + text
            + "'");
  }

  /** Whether each connection has a database of its own. */
  boolean isPrivate() {
    return path == null && name.isEmpty();
  }

  /** The same for all URLs that mean the same pool. */
  String key() {
    return path == null ? text : SHARED + path;
  }
}
