package org.nelumbo.simulation.disk;

import java.util.Map;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Directories named by statements, which are disks of a world.
 *
 * @param disks disks by name
 */
record SimDirectories(Map<String, SimDisk> disks) implements Directories {
  @Override
  public Disk open(String path, String owner) {
    return openToRead(path);
  }

  @Override
  public Disk openToRead(String path) {
    SimDisk disk = disks.get(path);
    if (disk == null) {
      throw new PoolOpenException("there is no directory " + path);
    }
    return disk;
  }
}
