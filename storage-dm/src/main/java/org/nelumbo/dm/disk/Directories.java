package org.nelumbo.dm.disk;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.nelumbo.dm.pool.PoolOpenException;

/** Directories that statements name. Thread-safe. */
public interface Directories {
  /** Those of the system's file systems. */
  Directories SYSTEM =
      new Directories() {
        @Override
        public Disk open(String path, String owner) {
          return DirectoryDisk.openAnywhere(absolute(path), owner);
        }

        @Override
        public Disk openToRead(String path) {
          return DirectoryDisk.openToRead(absolute(path));
        }

        private static Path absolute(String path) {
          try {
            return Path.of(path).toAbsolutePath();
          } catch (InvalidPathException e) {
            throw new PoolOpenException("'" + path + "' is not a path: " + e.getReason(), e);
          }
        }
      };

  /**
   * Opens a directory; it is made if it is not there.
   *
   * @param owner what others read who want it meanwhile
   * @throws PoolOpenException if somebody else has it, or it cannot be opened
   */
  Disk open(String path, String owner);

  /**
   * Opens a directory to read files in it, whoever else has it; it need not be closed.
   *
   * @throws PoolOpenException if there is none
   */
  Disk openToRead(String path);
}
