package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of a durable memory node in a file of a file system in memory: it outlives a process that
 * is killed, and goes with the power. The file is removed when the node is stopped in order.
 *
 * <p>What a process has left there is compared with the copies of others when the node is filled,
 * and never taken for what a pool has: it may be older than the log of the node, and newer. So it
 * does not matter which process has left it, of what pool, or when.
 *
 * <p>The name of the file comes from the directory of the node's log. So whoever starts the node
 * again finds it, and a second node with the same directory finds that it is locked.
 */
public final class KeptMemory extends ForwardingNodeMemory {
  private static final Logger LOG = LoggerFactory.getLogger(KeptMemory.class);

  /** Where files are in memory. */
  public static final Path PLACE = Path.of("/dev/shm");

  private static final String PREFIX = "nelumbo-";
  private static final int HASH_BYTES = 16;
  private static final String OWNER = "unix:uid";

  private final NodeFile file;
  private final boolean isLeft;

  private KeptMemory(NodeFile file, boolean isLeft) {
    super(file);
    this.file = file;
    this.isLeft = isLeft;
  }

  /**
   * Maps the file of a node.
   *
   * @param place of such files, as {@link #PLACE}
   * @param data directory of the node, which is there
   * @param bytes of the memory
   * @param isWanted whether to keep what an earlier process has left; else all of it is zero
   * @throws IOException if the memory cannot be there; the message says why. What was left is gone
   *     then, unless another process has it
   */
  public static KeptMemory open(Path place, Path data, long bytes, boolean isWanted)
      throws IOException {
    if (!Files.isDirectory(place)) {
      throw new IOException("there is no directory " + place);
    }
    Path path = place.resolve(name(data));
    NodeFile file = null;
    try {
      file = openFile(path);
      boolean isLeft = isWanted && file.fileBytes() == bytes;
      if (!isLeft) {
        remove(path);
        file.release();
        file = openFile(path);
        checkRoom(file, bytes);
      }
      KeptMemory memory = new KeptMemory(file.map(bytes), isLeft);
      FileWatch.remove(file);
      file = null;
      return memory;
    } catch (PoolOpenException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      if (file != null) {
        remove(path);
        file.release();
      }
    }
  }

  private static NodeFile openFile(Path path) throws IOException {
    NodeFile file = NodeFile.open(path, true, true);
    boolean isOurs = false;
    try {
      isOurs =
          file.isInPlace()
              && !file.isOpenToOthers()
              && Files.getAttribute(path, OWNER, LinkOption.NOFOLLOW_LINKS)
                  .equals(Files.getAttribute(Path.of("/proc/self"), OWNER));
      if (!isOurs) {
        throw new IOException(path + " is another user's, or others may read it");
      }
      return file;
    } finally {
      if (!isOurs) {
        file.release();
      }
    }
  }

  /** Else a page that is used later might not be had. */
  private static void checkRoom(NodeFile file, long bytes) throws IOException {
    long room = file.usableBytes();
    if (room < bytes) {
      throw new IOException(
          file.path().getParent() + " has room for " + room + " bytes, not for " + bytes);
    }
  }

  /** A name that nobody else's node has, and this one always. */
  private static String name(Path data) throws IOException {
    String text =
        Files.getAttribute(Path.of("/proc/self"), OWNER) + ":" + data.toRealPath().toString();
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return PREFIX + HexFormat.of().formatHex(Arrays.copyOf(hash, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("the file {} is left behind: {}", path, e.toString());
    }
  }

  /** Without its name the file is as good, but for the next process. */
  @Override
  public String problem() {
    return "";
  }

  @Override
  public long leftBytes() {
    return isLeft ? bytes() : 0;
  }

  /** Nobody needs it any more: a process that is killed does not come here. */
  @Override
  public void release() {
    remove(file.path());
    super.release();
  }
}
