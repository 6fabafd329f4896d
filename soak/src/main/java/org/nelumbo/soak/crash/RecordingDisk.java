package org.nelumbo.soak.crash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;

/** A disk whose operations are recorded. Thread-safe. */
final class RecordingDisk implements Disk {
  private final Disk disk;
  private final int number;
  private final DiskTrace trace;
  private final Map<String, Integer> files = new ConcurrentHashMap<>();

  /**
   * Creates a recorder of a disk.
   *
   * @param number number of the disk in the trace
   * @param there existing files, with their numbers in the trace
   */
  RecordingDisk(Disk disk, int number, DiskTrace trace, Map<String, Integer> there) {
    this.disk = disk;
    this.number = number;
    this.trace = trace;
    files.putAll(there);
  }

  /** Returns the files of the disk, with their numbers in the trace. */
  Map<String, Integer> files() {
    return Map.copyOf(files);
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list();
  }

  @Override
  public DiskFile create(String name) throws IOException {
    int file = trace.create(number, name);
    files.put(name, file);
    return new RecordedFile(disk.create(name), file);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    DiskFile opened = disk.open(name);
    return new RecordedFile(opened, files.get(name));
  }

  @Override
  public void delete(String name) throws IOException {
    trace.add(new DiskTrace.Deleted(number, name));
    files.remove(name);
    disk.delete(name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    trace.add(new DiskTrace.Renamed(number, from, to));
    files.put(to, files.remove(from));
    disk.rename(from, to);
  }

  @Override
  public void forceNames() throws IOException {
    int before = trace.size();
    disk.forceNames();
    trace.add(new DiskTrace.NamesForced(number, before));
  }

  @Override
  public String location() {
    return disk.location();
  }

  @Override
  public void close() {
    disk.close();
  }

  private final class RecordedFile implements DiskFile {
    private final DiskFile opened;
    private final int file;

    RecordedFile(DiskFile opened, int file) {
      this.opened = opened;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return opened.size();
    }

    @Override
    public void write(ByteBuffer source, long offset) throws IOException {
      byte[] bytes = new byte[source.remaining()];
      source.duplicate().get(bytes);
      trace.add(new DiskTrace.Written(file, offset, bytes));
      opened.write(source, offset);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      return opened.read(target, offset);
    }

    @Override
    public void force() throws IOException {
      int before = trace.size();
      opened.force();
      trace.add(new DiskTrace.Forced(file, before));
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }
}
