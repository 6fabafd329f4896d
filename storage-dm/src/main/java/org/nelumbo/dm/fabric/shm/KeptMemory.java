package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of a durable memory node in a file of an in-memory file system. It outlives the process,
 * but not a power failure.
 *
 * <p>The content that an earlier process has left is compared with the other copies when the node
 * is filled, and is never used as the content of the pool: it may be older or newer than the log of
 * the node. So it does not matter which process has left it, for which pool, when, or whether that
 * process was killed.
 *
 * <p>The file is named after the node's directory. So a restarted node finds its file, and a second
 * node with the same directory finds it locked. Each starting node removes the files of nodes whose
 * directories no longer exist.
 */
public final class KeptMemory extends ForwardingNodeMemory {
  private static final Logger LOG = LoggerFactory.getLogger(KeptMemory.class);

  /** The in-memory file system. */
  public static final Path PLACE = Path.of("/dev/shm");

  private static final String PREFIX = "nelumbo-";
  private static final int HASH_BYTES = 16;

  private static final int NAME_MAX = 255;

  private static final String OWNER = "unix:uid";

  private final NodeFile file;
  private final boolean isLeft;
  private final BooleanSupplier isWanted;

  private KeptMemory(NodeFile file, boolean isLeft, BooleanSupplier isWanted) {
    super(file);
    this.file = file;
    this.isLeft = isLeft;
    this.isWanted = isWanted;
  }

  /**
   * Maps the file of a node.
   *
   * @param place directory for such files, as {@link #PLACE}
   * @param data existing directory of the node
   * @param bytes size of the memory
   * @param isWanted at the open: returns true to keep the content of an earlier process; otherwise
   *     all memory is zero. At the release: returns true to leave the content to the next process.
   *     All other parts of the node may be closed by then
   * @throws IOException if the memory cannot be in a file; the message contains the reason. The
   *     content of an earlier process is then removed, unless another process has locked it
   */
  public static KeptMemory open(Path place, Path data, long bytes, BooleanSupplier isWanted)
      throws IOException {
    if (!Files.isDirectory(place)) {
      throw new IOException("there is no directory " + place);
    }
    removeAbandoned(place);
    Path path = place.resolve(name(data));
    NodeFile file = null;
    try {
      file = openFile(path);
      boolean isLeft = isWanted.getAsBoolean() && file.fileBytes() == bytes;
      if (!isLeft) {
        remove(path);
        file.release();
        file = openFile(path);
        checkRoom(file, bytes);
      }
      KeptMemory memory = new KeptMemory(file.map(bytes), isLeft, isWanted);
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

  /** A page that is touched later might not be available. */
  private static void checkRoom(NodeFile file, long bytes) throws IOException {
    long room = file.usableBytes();
    if (room < bytes) {
      throw new IOException(
          file.path().getParent() + " has room for " + room + " bytes, not for " + bytes);
    }
  }

  /** Returns a file name that is unique to the node and stable; readable if it is short. */
  private static String name(Path data) throws IOException {
    String directory = data.toRealPath().toString();
    String name = prefix() + URLEncoder.encode(directory, StandardCharsets.UTF_8);
    return name.length() <= NAME_MAX ? name : prefix() + hash(directory);
  }

  private static String prefix() throws IOException {
    return PREFIX + Files.getAttribute(Path.of("/proc/self"), OWNER) + "-";
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(hash, HASH_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static void removeAbandoned(Path place) throws IOException {
    String prefix = prefix();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(place, prefix + "%2F*")) {
      for (Path path : files) {
        if (!isNeeded(path.getFileName().toString().substring(prefix.length()))) {
          removeUnlessHeld(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private static boolean isNeeded(String encoded) {
    try {
      return Files.exists(Path.of(URLDecoder.decode(encoded, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return true; // a file of another program
    }
  }

  private static void removeUnlessHeld(Path path) {
    NodeFile file = null;
    try {
      file = openFile(path);
      remove(path);
      LOG.info("removed {}: the memory of a node whose directory is gone", path);
    } catch (IOException | PoolOpenException e) {
      LOG.debug("{} stays: {}", path, e.toString());
    } finally {
      if (file != null) {
        file.release();
      }
    }
  }

  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      LOG.warn("cannot remove the file {}: {}", path, e.toString());
    }
  }

  /** Ignores a removed file: the memory stays usable, but the next process does not find it. */
  @Override
  public String problem() {
    return "";
  }

  @Override
  public long leftBytes() {
    return isLeft ? bytes() : 0;
  }

  /** Returns true if {@link #release} will leave the content to the next process. */
  public boolean isWanted() {
    return isWanted.getAsBoolean();
  }

  /** Returns the path of the file, which exists while a process uses it or has left it. */
  public Path path() {
    return file.path();
  }

  @Override
  public void release() {
    if (!isWanted()) {
      remove(file.path());
    }
    super.release();
  }
}
