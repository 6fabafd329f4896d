package org.nelumbo.dm.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File systems that are shared by machines. A mapped file there is not one memory for all of them,
 * a lock may exclude no other process, and access to a page of a file that was removed elsewhere
 * ends the process. So no pool is opened there.
 */
public final class NetworkFileSystems {
  private static final Logger LOG = LoggerFactory.getLogger(NetworkFileSystems.class);

  private static final Set<String> TYPES =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb3",
          "smbfs",
          "afs",
          "ceph",
          "gfs2",
          "ocfs2",
          "lustre",
          "gpfs",
          "beegfs",
          "davfs",
          "fuse.sshfs",
          "fuse.glusterfs",
          "fuse.ceph",
          "fuse.s3fs",
          "fuse.rclone",
          "fuse.juicefs");

  private NetworkFileSystems() {}

  /**
   * Throws an exception if a file, or the parent of a new file, is on such a file system.
   *
   * @throws PoolOpenException if so; the message says what to do
   */
  public static void refuse(Path file) {
    Path directory = Files.exists(file) ? file : file.toAbsolutePath().getParent();
    try {
      refuse(file, Files.getFileStore(directory).type());
    } catch (IOException e) {
      LOG.debug("the file system of {} is unknown: {}", file, e.toString());
    }
  }

  /** Throws an exception if the type of a file's file system is one that machines share. */
  static void refuse(Path file, String type) {
    if (TYPES.contains(type)) {
      throw new PoolOpenException(
          "a pool cannot be on a file system that machines share ("
              + type
              + "): put it on a local one, such as /dev/shm or a local disk; other machines"
              + " reach a pool through memory nodes file="
              + file);
    }
  }
}
