package org.nelumbo.soak.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small file system in memory, which can be filled and freed, and is unmounted by {@link #close}.
 * Mounting requires privileges.
 */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK_BYTES = 4096;

  private final Path directory;

  private SmallDisk(Path directory) {
    this.directory = directory;
  }

  /**
   * Mounts a file system at a new directory.
   *
   * @param size size in the syntax of mount(8): {@code 8m}
   * @return the file system, or null if this process may not mount
   */
  public static SmallDisk mount(String size) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("nelumbo-soak-disk");
    String options = "size=" + size + ",mode=0700";
    if (isMounted(directory, options)) {
      return new SmallDisk(directory);
    }
    Files.delete(directory);
    return null;
  }

  private static boolean isMounted(Path directory, String options) throws InterruptedException {
    try {
      return SystemCommand.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString())
          == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  /** Returns the mount point. */
  public Path directory() {
    return directory;
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  /** Fills all remaining space, while other processes write, too. */
  public void fill() throws IOException {
    try (OutputStream filler = Files.newOutputStream(filler())) {
      byte[] block = new byte[BLOCK_BYTES];
      while (hasRoom()) {
        filler.write(block);
      }
    } catch (IOException e) {
      if (hasRoom()) {
        throw e;
      }
    }
  }

  private boolean hasRoom() throws IOException {
    return Files.getFileStore(directory).getUsableSpace() > 0;
  }

  /** Releases the space filled by {@link #fill}. */
  public void free() throws IOException {
    Files.deleteIfExists(filler());
  }

  /** Unmounts the file system, even if it is in use. */
  @Override
  public void close() throws IOException {
    SystemCommand.runAtEnd("umount", "--lazy", directory.toString());
    Files.delete(directory);
  }
}
