package org.nelumbo.dm.redo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;

/**
 * A disk in memory whose files tests can truncate, damage and copy. It can be made to reject writes
 * and forces.
 */
public final class MemoryDisk implements Disk {
  private final Map<String, Content> files = new ConcurrentSkipListMap<>();

  /** Names of the files that survive a power failure. */
  private final Set<String> forcedNames = ConcurrentHashMap.newKeySet();

  /** True if forces fail from now on. */
  public volatile boolean forceFails;

  /** Number of bytes that can still be written. */
  public volatile long room = Long.MAX_VALUE;

  public final AtomicInteger forces = new AtomicInteger();

  private static final class Content {
    private byte[] bytes = new byte[0];
  }

  /** Returns a copy of the content of all files by name. */
  public Map<String, byte[]> copy() {
    Map<String, byte[]> copy = new TreeMap<>();
    files.forEach((name, content) -> copy.put(name, content.bytes.clone()));
    return copy;
  }

  /** Returns a disk with copies of these files, whose names are not forced yet. */
  public static MemoryDisk of(Map<String, byte[]> copy) {
    MemoryDisk disk = new MemoryDisk();
    copy.forEach(
        (name, bytes) -> {
          Content content = new Content();
          content.bytes = bytes.clone();
          disk.files.put(name, content);
        });
    return disk;
  }

  @Override
  public List<String> list() {
    return List.copyOf(files.keySet());
  }

  @Override
  public DiskFile create(String name) {
    Content content = new Content();
    forcedNames.remove(name);
    files.put(name, content);
    return new MemoryFile(content);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    Content content = files.get(name);
    if (content == null) {
      throw new FileNotFoundException(name);
    }
    return new MemoryFile(content);
  }

  @Override
  public void delete(String name) {
    files.remove(name);
  }

  @Override
  public void rename(String from, String to) {
    forcedNames.remove(to);
    files.put(to, files.remove(from));
  }

  @Override
  public void forceNames() {
    forcedNames.addAll(files.keySet());
  }

  /** Returns the files that a power failure may remove, because their names were not forced. */
  List<String> unforcedNames() {
    List<String> names = new ArrayList<>(files.keySet());
    names.removeAll(forcedNames);
    return names;
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public void close() {}

  private final class MemoryFile implements DiskFile {
    private final Content content;

    MemoryFile(Content content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.bytes.length;
    }

    @Override
    public synchronized void write(ByteBuffer source, long offset) throws IOException {
      if (room < source.remaining()) {
        throw new IOException("No space left on device");
      }
      room -= source.remaining();
      int end = (int) offset + source.remaining();
      if (end > content.bytes.length) {
        content.bytes = Arrays.copyOf(content.bytes, end);
      }
      source.get(content.bytes, (int) offset, source.remaining());
    }

    @Override
    public int read(ByteBuffer target, long offset) {
      int count = (int) Math.min(target.remaining(), content.bytes.length - offset);
      if (count <= 0) {
        return 0;
      }
      target.put(content.bytes, (int) offset, count);
      return count;
    }

    @Override
    public void force() throws IOException {
      forces.incrementAndGet();
      if (forceFails) {
        throw new IOException("Input/output error");
      }
    }

    @Override
    public void close() {}
  }
}
