package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.ConfigurationRegister;

/**
 * A description of a pool in shared files for monitoring. Creating it takes no lock, claims no
 * slot, and does not disturb the processes of the pool.
 *
 * @param nodes number of files of the pool
 * @param bytes total size of the nodes; 0 if the pool is not formatted
 * @param processes processes that share the pool; empty if it is unused or exclusively owned
 * @param configuration encoded cluster configuration; empty if there is none
 */
public record SharedFilesReport(
    int nodes, long bytes, List<SharingProcess> processes, byte[] configuration) {

  /**
   * A process that shares the pool.
   *
   * @param id tenant id of the process
   * @param name name for messages
   * @param isAlive false if it has ended, and the others have not recovered it yet
   */
  public record SharingProcess(long id, String name, boolean isAlive) {}

  private record ReadOnlyNode(MemorySegment memory) implements NodeMemory {
    @Override
    public long address() {
      return memory.address();
    }

    @Override
    public long bytes() {
      return memory.byteSize();
    }

    @Override
    public void release() {
      // the mapping ends with its arena
    }
  }

  /**
   * Reads the description of a pool.
   *
   * @param path file, or directory with a file for each memory node
   * @throws PoolOpenException if there is no pool, or it cannot be read
   */
  public static SharedFilesReport of(Path path) {
    List<Path> files = PoolFiles.nodePaths(path, 0);
    Path first = files.getFirst();
    if (!Files.isRegularFile(first)) {
      throw new PoolOpenException("there is no pool: " + first + " is not a file");
    }
    try (FileChannel file = FileChannel.open(first, StandardOpenOption.READ);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size(), arena);
      if (memory.byteSize() < SuperblockLayout.LENGTH
          || word(memory, SuperblockLayout.MAGIC_OFFSET) != SuperblockLayout.MAGIC) {
        return new SharedFilesReport(files.size(), 0, List.of(), new byte[0]);
      }
      Path tenants = new TenantFiles(first.toAbsolutePath(), first.equals(path)).path();
      return new SharedFilesReport(
          files.size(),
          word(memory, SuperblockLayout.NODE_BYTES_OFFSET) * files.size(),
          processes(tenants, word(memory, SuperblockLayout.POOL_ID_OFFSET)),
          configuration(new ReadOnlyNode(memory)));
    } catch (IOException e) {
      throw new PoolOpenException("cannot read the memory node's file " + first + ": " + e, e);
    }
  }

  private static long word(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset);
  }

  private static byte[] configuration(NodeMemory node) {
    try (LocalFabric looking = new LocalFabric(new NodeMemory[] {node});
        Channel channel = looking.openChannel(ConfigurationRegister.STAGING_BYTES)) {
      return ConfigurationRegister.peek(channel, 0, node.bytes());
    }
  }

  private static List<SharingProcess> processes(Path path, long poolId) {
    TenantFile there = TenantFile.open(path, false);
    if (there == null) {
      return List.of();
    }
    List<SharingProcess> processes = new ArrayList<>();
    try (there) {
      for (int entry = 0; entry < TenantFileLayout.ENTRIES; entry++) {
        long id = there.id(entry);
        if (there.isEntered(entry) && there.poolId() == poolId) {
          boolean isAlive = there.isLockedByOthers(entry);
          processes.add(new SharingProcess(id, there.name(entry), isAlive));
        }
      }
    }
    return processes;
  }
}
