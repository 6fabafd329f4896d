package org.nelumbo.simulation.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Disk of a world. What was forced survives the loss of power. Of the writes that were not, each is
 * kept, lost, or kept in some of its sectors; each new, changed or removed name is kept or not.
 *
 * <p>A force may fail. Then some of what was written since the last one never gets to the disk,
 * though it can be read as if it had; forces later on say nothing of it.
 */
final class SimDisk implements Disk {
  /** Smaller than those of disks, so that more frames lie across two of them. */
  private static final int SECTOR = 128;

  private static final long WRITE_NANOS = 5_000;
  private static final long FORCE_NANOS = 300_000;

  private final SimWorld world;
  private final SimRandom random;

  /** What the running system sees. */
  private Map<String, Content> names = new TreeMap<>();

  /** What is on the disk. */
  private final Map<String, Content> forcedNames = new TreeMap<>();

  /** Changes of names that are not forced. */
  private final List<Consumer<Map<String, Content>>> pendingNames = new ArrayList<>();

  /** Steps until the power is lost, and until a force fails; less than 0: never. */
  private long untilCut = -1;

  private long untilFailure = -1;
  private Runnable onCut = () -> {};

  /** A file, whatever it is called. */
  private static final class Content {
    private byte[] seen = new byte[0];
    private byte[] forced = new byte[0];
    private final List<Write> pending = new ArrayList<>();
  }

  /** Bytes that are not forced. */
  private record Write(int offset, byte[] bytes) {
    byte[] appliedTo(byte[] content, SimRandom torn) {
      byte[] changed = Arrays.copyOf(content, Math.max(content.length, offset + bytes.length));
      for (int at = 0; at < bytes.length; ) {
        int count = Math.min(bytes.length - at, SECTOR - (offset + at) % SECTOR);
        if (torn == null || torn.nextInt(2) == 0) {
          System.arraycopy(bytes, at, changed, offset + at, count);
        }
        at += count;
      }
      return changed;
    }
  }

  SimDisk(SimWorld world) {
    this(world, "disk");
  }

  /** One of several of a world. */
  SimDisk(SimWorld world, String name) {
    this.world = world;
    this.random = world.random(name);
  }

  /** Another one with what the running system sees. */
  SimDisk copy() {
    SimDisk copy = new SimDisk(world, "copy of a disk");
    names.forEach(
        (name, content) -> {
          Content same = new Content();
          same.seen = content.seen.clone();
          copy.names.put(name, same);
        });
    return copy;
  }

  /**
   * Has the power go, and a force fail.
   *
   * @param steps until the power is lost; less than 0: never
   * @param failureSteps until a force fails, likewise
   * @param whenCut ends whoever runs
   */
  void arm(long steps, long failureSteps, Runnable whenCut) {
    untilCut = steps;
    untilFailure = failureSteps;
    onCut = whenCut;
  }

  /** Something is about to be done that others may find half done. */
  private void step() {
    if (untilFailure > 0) {
      untilFailure--;
    }
    if (untilCut > 0 && --untilCut == 0) {
      cut();
      onCut.run();
      world.checkAlive();
    }
  }

  /** The power is lost: what was not forced is there, in part, or not. */
  void cut() {
    for (Consumer<Map<String, Content>> change : pendingNames) {
      if (random.nextInt(2) == 0) {
        change.accept(forcedNames);
      }
    }
    pendingNames.clear();
    names = new TreeMap<>(forcedNames);
    for (Content content : names.values()) {
      for (Write write : content.pending) {
        int fate = random.nextInt(3);
        if (fate > 0) {
          content.forced = write.appliedTo(content.forced, fate == 1 ? random : null);
        }
      }
      content.pending.clear();
      content.seen = content.forced.clone();
    }
  }

  private void take(long nanos) {
    world.sleepUntil(world.now() + 1 + random.nextLong(nanos));
  }

  private void change(Consumer<Map<String, Content>> change) {
    step();
    change.accept(names);
    pendingNames.add(change);
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile create(String name) {
    Content content = new Content();
    change(map -> map.put(name, content));
    return new SimFile(content);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new SimFile(content(name));
  }

  private Content content(String name) throws IOException {
    Content content = names.get(name);
    if (content == null) {
      throw new FileNotFoundException(name);
    }
    return content;
  }

  @Override
  public void delete(String name) throws IOException {
    content(name);
    change(map -> map.remove(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Content content = content(from);
    change(
        map -> {
          map.remove(from, content);
          map.put(to, content);
        });
  }

  @Override
  public void forceNames() {
    step();
    List<Consumer<Map<String, Content>>> changes = List.copyOf(pendingNames);
    take(FORCE_NANOS);
    step();
    for (Consumer<Map<String, Content>> change : changes) {
      if (pendingNames.remove(change)) { // nobody else has forced it meanwhile
        change.accept(forcedNames);
      }
    }
  }

  @Override
  public String place() {
    return "the disk of the world";
  }

  @Override
  public void close() {}

  /** An open file. */
  private final class SimFile implements DiskFile {
    private final Content content;

    SimFile(Content content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.seen.length;
    }

    @Override
    public void write(ByteBuffer source, long offset) {
      step();
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      Write write = new Write((int) offset, bytes);
      content.seen = write.appliedTo(content.seen, null);
      content.pending.add(write);
      take(WRITE_NANOS);
    }

    @Override
    public int read(ByteBuffer target, long offset) {
      int count = (int) Math.min(target.remaining(), content.seen.length - offset);
      if (count > 0) {
        target.put(content.seen, (int) offset, count);
      }
      return Math.max(0, count);
    }

    @Override
    public void force() throws IOException {
      step();
      List<Write> writes = List.copyOf(content.pending);
      take(FORCE_NANOS);
      step();
      if (untilFailure == 0) {
        untilFailure = -1;
        content.pending.removeIf(write -> random.nextInt(2) == 0);
        throw new IOException("Input/output error");
      }
      for (Write write : writes) {
        if (content.pending.remove(write)) {
          content.forced = write.appliedTo(content.forced, null);
        }
      }
    }

    @Override
    public void close() {}
  }
}
