package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.file.Path;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.SharedPool;

/**
 * A process that shares a pool with others until it is killed. It writes its blocks again and
 * again, each filled with one byte value, returns each received message to its sender, and prints
 * its tenant id to standard output. Arguments: path, lease in milliseconds, index of its first
 * block.
 */
final class SharingProcess {
  static final long NODE_BYTES = 1 << 20;
  static final int BLOCK_BYTES = 8 << 10;
  static final int BLOCKS = 16;

  /**
   * Number of blocks of all processes. Each process writes only its own blocks, which takes the
   * place of locks.
   */
  static final int ALL_BLOCKS = 2 * BLOCKS;

  static final PeerId SELF = new PeerId(1, 7);

  private SharingProcess() {}

  /** Opens the pool with the options of all processes of the test. */
  static Fabric open(Path path, long leaseMillis, long patienceMillis) {
    return SharedMemory.openSharing(
        new SystemEnvironment(),
        path,
        new SharedMemory.Wanted(NODE_BYTES, 1),
        NODE_BYTES,
        PoolExpectation.ANY,
        new SharingOptions(
            "process " + ProcessHandle.current().pid(),
            leaseMillis * 1_000_000,
            patienceMillis * 1_000_000));
  }

  static long block(int number) {
    return PoolAddress.of(0, 65536 + (long) number * BLOCK_BYTES);
  }

  public static void main(String[] arguments) throws IOException {
    Fabric pool = open(Path.of(arguments[0]), Long.parseLong(arguments[1]), 30_000);
    SharedPool sharing = pool.sharing();
    PeerNetwork peers = sharing.openPeers(SELF);
    peers.listen((PeerListener) (from, message) -> peers.send(from, message));
    System.out.println(sharing.tenant() + " " + sharing.isShared());
    // One part of the staging buffer per byte value, so that nearly all time is spent in WRITEs.
    Channel channel = pool.openChannel(2 * BLOCK_BYTES);
    channel.staging().asSlice(0, BLOCK_BYTES).fill((byte) 1);
    channel.staging().asSlice(BLOCK_BYTES, BLOCK_BYTES).fill((byte) 2);
    int first = Integer.parseInt(arguments[2]);
    for (int i = 0; ; i++) {
      channel.write(
          block(first + i % BLOCKS), i / BLOCKS % 2 * BLOCK_BYTES, SharingTest.WRITE_BYTES);
      channel.flush();
    }
  }
}
