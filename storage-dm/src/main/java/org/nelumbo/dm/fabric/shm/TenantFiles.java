package org.nelumbo.dm.fabric.shm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the file is by which the processes that have a pool know each other: beside the pool's
 * file, or among them.
 */
final class TenantFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TenantFiles.class);
  private final Path path;
  private final AtomicBoolean hasComplained = new AtomicBoolean();

  /** Of the pool with that first file; {@code isOnly} if it has no others. */
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

  /** Says once that the file is gone. */
  void complain() {
    if (!hasComplained.getAndSet(true)) {
      LOG.error(
          "the file {} was removed or replaced: those who have the pool go on, but no other process"
              + " can be let in until all of them have ended",
          path);
    }
  }
}
