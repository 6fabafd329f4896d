package org.nelumbo.dm.disk;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.nelumbo.dm.pool.PoolOpenException;

/** Opens the directories that statements name. Thread-safe. */
public interface Directories {
  /** Directories of the operating system's file systems. */
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
   * Opens a directory, which is made if it does not exist.
   *
   * @param owner name of the owner, shown to other processes that try to open the directory
   *     meanwhile
   * @throws PoolOpenException if another process has it open, or if it cannot be opened
   */
  Disk open(String path, String owner);

  /**
   * Opens a directory to read files in it, even if another process has it open; it need not be
   * closed.
   *
   * @throws PoolOpenException if it does not exist
   */
  Disk openToRead(String path);
}
