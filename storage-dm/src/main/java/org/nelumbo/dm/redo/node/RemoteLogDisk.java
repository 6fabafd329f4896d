package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.file.DatabaseFiles;

/**
 * Remote read access to the files of a memory node's log while no compute node appends, in order to
 * build a pool from them. Thread-safe.
 */
public final class RemoteLogDisk implements Disk {
  private final PoolLog log;
  private final LogState state;

  /**
   * Makes the memory node keep its files unchanged until this is closed.
   *
   * @throws FabricException if it does not respond
   */
  public RemoteLogDisk(PoolLog log, Environment environment) {
    this.log = log;
    LogState found = state(log);
    for (int attempt = 0; found.end() < 0; attempt++) {
      environment.backoff(attempt); // a checkpoint is being written
      found = state(log);
    }
    this.state = found;
  }

  private static LogState state(PoolLog log) {
    return LogState.decode(log.ask(LogRequest.of(LogRequest.STATE, 1)));
  }

  @Override
  public List<String> list() {
    List<String> names = new ArrayList<>();
    names.add(DatabaseFiles.DATABASE);
    state.files().forEach(file -> names.add(file.name()));
    return names;
  }

  @Override
  public DiskFile open(String name) {
    long size =
        state.files().stream()
            .filter(file -> file.name().equals(name))
            .mapToLong(LogState.File::size)
            .findFirst()
            .orElse(RedoLayout.BLOCK);
    return new RemoteFile(name, size);
  }

  private final class RemoteFile implements DiskFile {
    private final String name;
    private final long size;

    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    private byte[] piece = {};
    private long pieceOffset;

    RemoteFile(String name, long size) {
      this.name = name;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      lock.lock();
      try {
        return readLocked(target, offset);
      } finally {
        lock.unlock();
      }
    }

    private int readLocked(ByteBuffer target, long offset) throws IOException {
      int count = 0;
      for (long at = offset; target.hasRemaining() && at < size; at = offset + count) {
        if (at < pieceOffset || at >= pieceOffset + piece.length) {
          fetch(at);
        }
        int from = (int) (at - pieceOffset);
        int some = Math.min(target.remaining(), piece.length - from);
        target.put(piece, from, some);
        count += some;
      }
      return count;
    }

    private void fetch(long at) throws IOException {
      int length = (int) Math.min(LogRequest.PIECE_BYTES, size - at);
      try {
        piece = log.ask(LogRequest.read(name, at, length));
      } catch (FabricException e) {
        throw new IOException(e.getMessage(), e);
      }
      pieceOffset = at;
      if (piece.length < length) {
        throw new IOException("the file " + name + " of a memory node ends too soon");
      }
    }

    @Override
    public void write(ByteBuffer source, long offset) {
      throw readOnly();
    }

    @Override
    public void force() {
      throw readOnly();
    }

    @Override
    public void close() {}
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("the log of a remote memory node is read-only");
  }

  @Override
  public DiskFile create(String name) {
    throw readOnly();
  }

  @Override
  public void delete(String name) {
    throw readOnly();
  }

  @Override
  public void rename(String from, String to) {
    throw readOnly();
  }

  @Override
  public void forceNames() {
    throw readOnly();
  }

  @Override
  public String location() {
    return "the log of a memory node";
  }

  @Override
  public void close() {
    log.ask(LogRequest.of(LogRequest.LET_GO, 0));
  }
}
