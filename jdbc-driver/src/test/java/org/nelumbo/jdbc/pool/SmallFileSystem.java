package org.nelumbo.jdbc.pool;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that tests fill up. Only the superuser can mount one. */
final class SmallFileSystem implements AutoCloseable {
  private final Path directory;
  private final Path filler;

  private SmallFileSystem(Path directory) {
    this.directory = directory;
    this.filler = directory.resolve("filler");
  }

  /**
   * Mounts a file system on an empty directory; returns null if this process lacks the permission.
   */
  static SmallFileSystem mount(Path directory, int megabytes) throws IOException {
    Files.createDirectories(directory);
    return run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory + "")
        ? new SmallFileSystem(directory)
        : null;
  }

  private static boolean run(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  Path path(String name) {
    return directory.resolve(name);
  }

  /** Fills the file system except for the given number of bytes. */
  void fill(long left) throws IOException {
    long bytes = Files.getFileStore(directory).getUsableSpace() - left;
    byte[] page = new byte[4096];
    try (OutputStream out = Files.newOutputStream(filler)) {
      for (long written = 0; written + page.length <= bytes; written += page.length) {
        out.write(page);
      }
    }
  }

  void makeRoom() throws IOException {
    Files.delete(filler);
  }

  @Override
  public void close() {
    if (!run("umount", directory.toString())) {
      run("umount", "-l", directory.toString());
    }
  }
}
