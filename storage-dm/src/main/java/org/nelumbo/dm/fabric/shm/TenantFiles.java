package org.nelumbo.dm.fabric.shm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The location of the table file of the processes that use a pool: beside the pool's only file, or
 * in its directory.
 */
final class TenantFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TenantFiles.class);
  private final Path path;
  private final AtomicBoolean hasComplained = new AtomicBoolean();

  /**
   * Creates the location for a pool with that first file.
   *
   * @param isOnly true if the pool has no other files
   */
  TenantFiles(Path firstNode, boolean isOnly) {
    this.path =
        isOnly
            ? firstNode.resolveSibling(firstNode.getFileName() + ".tenants")
            : firstNode.resolveSibling("tenants");
  }

  Path path() {
    return path;
  }

  boolean isThere() {
    return Files.exists(path);
  }

  /** Logs once that the file is missing. */
  void complain() {
    if (!hasComplained.getAndSet(true)) {
      LOG.error(
          "the file {} was removed or replaced: the processes that have attached the pool"
              + " continue, but no other process can join until all of them have ended",
          path);
    }
  }
}
