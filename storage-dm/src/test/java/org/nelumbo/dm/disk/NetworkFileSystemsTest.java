package org.nelumbo.dm.disk;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.pool.PoolOpenException;

class NetworkFileSystemsTest {
  @Test
  void shouldRejectNetworkFileSystems() {
    Path file = Path.of("/net/pool");
    for (String type : new String[] {"nfs", "nfs4", "cifs", "ceph", "fuse.sshfs"}) {
      PoolOpenException e =
          assertThrows(PoolOpenException.class, () -> NetworkFileSystems.refuse(file, type), type);
      assertTrue(e.getMessage().contains("(" + type + "): put it on a local one"));
    }
  }

  @Test
  void shouldAcceptLocalFileSystems(@TempDir Path folder) {
    NetworkFileSystems.refuse(folder.resolve("new"));
    NetworkFileSystems.refuse(Path.of("new"));
    for (String type : new String[] {"ext4", "xfs", "tmpfs", "overlay", "btrfs", "9p"}) {
      NetworkFileSystems.refuse(folder, type);
    }
  }
}
