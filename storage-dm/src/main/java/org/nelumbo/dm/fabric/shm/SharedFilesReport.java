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
 * What there is to know of a pool in shared files for whoever only looks: it takes no lock, enters
 * nowhere, and disturbs nobody.
 *
 * @param nodes files of the pool
 * @param bytes of all of them together; 0 if no pool has been made
 * @param processes that share the pool; none if one has it alone, or nobody
 * @param configuration what these have agreed on; empty if that is nothing
 */
public record SharedFilesReport(
    int nodes, long bytes, List<SharingProcess> processes, byte[] configuration) {

  /**
   * A process that has the pool beside others.
   *
   * @param id by which the others know it
   * @param name for people
   * @param isAlive false if it has ended, and the others are about to recover it
   */
  public record SharingProcess(long id, String name, boolean isAlive) {}

  /** A file, mapped to be read. */
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
   * Looks at a pool.
   *
   * @param path a file, or a directory with a file for each memory node
   * @throws PoolOpenException if there is none, or it cannot be read
   */
  public static SharedFilesReport of(Path path) {
    List<Path> files = PoolFiles.nodePaths(path, 0);
    Path first = files.getFirst();
    if (!Files.isRegularFile(first)) {
      throw new PoolOpenException("there is no pool: " + first + " is no file");
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
