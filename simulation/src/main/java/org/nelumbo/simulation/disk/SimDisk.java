package org.nelumbo.simulation.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A disk of a world. Forced writes survive a loss of power. Each unforced write is kept, lost, or
 * kept in some of its sectors; each new, changed or removed name is kept or not.
 *
 * <p>A force may fail. Then some of the writes since the last force never reach the disk, although
 * reads return them; later forces do not report this. Other faults are in {@link DiskFaults}. In
 * addition, bits may flip, and sectors become unreadable, while the disk is not in use.
 */
final class SimDisk implements Disk {
  /**
   * Bytes of a sector. It is smaller than on real disks, so that more frames cross a sector
   * boundary.
   */
  private static final int SECTOR = 128;

  private static final long WRITE_NANOS = 5_000;
  private static final long FORCE_NANOS = 300_000;
  private static final int SLOW_ONE_IN = 4;
  private static final int SLOW_FACTOR = 1_000;
  private static final int PLACES = 4;

  private final SimWorld world;
  private final SimRandom random;
  private final DiskFaults faults = new DiskFaults();

  /** Files as the running system sees them. */
  private Map<String, Content> names = new TreeMap<>();

  /** Files on the disk. */
  private final Map<String, Content> forcedNames = new TreeMap<>();

  private final List<Consumer<Map<String, Content>>> pendingNames = new ArrayList<>();

  private Misdirected misdirected;

  /** Steps until power is lost, and until a force fails; negative: never. */
  private long untilCut = -1;

  private long untilFailure = -1;
  private Runnable onCut = () -> {};

  /** True if only the process ends at the step, and the machine continues. */
  private boolean keepsPower;

  /** Changes of names until the process ends after one; negative: never. */
  private long untilKilledAtName = -1;

  private static final class Content {
    private byte[] seen = new byte[0];
    private byte[] forced = new byte[0];
    private final List<FileWrite> pending = new ArrayList<>();

    private List<FileWrite> lastForced = List.of();

    private List<FileWrite> forcedBefore = List.of();
    private final TreeSet<Integer> unreadable = new TreeSet<>();
  }

  /** A byte of a named file. */
  record Place(String name, int offset) {}

  private record Misdirected(
      Content intended, FileWrite write, Content victim, FileWrite elsewhere) {}

  SimDisk(SimWorld world) {
    this(world, "disk");
  }

  /** Creates one of several disks of a world. */
  SimDisk(SimWorld world, String name) {
    this.world = world;
    this.random = world.random(name);
  }

  /** Returns a copy with the content that the running system sees. */
  SimDisk copy() {
    SimDisk copy = new SimDisk(world, "copy of a disk");
    names.forEach(
        (name, content) -> {
          Content same = new Content();
          same.seen = content.seen.clone();
          same.forced = content.seen.clone();
          same.unreadable.addAll(content.unreadable);
          copy.forcedNames.put(name, same);
          copy.names.put(name, same);
        });
    return copy;
  }

  /**
   * Schedules a loss of power, and a failed force.
   *
   * @param steps steps until power is lost; negative: never
   * @param failureSteps steps until a force fails; negative: never
   * @param whenCut ends the running process
   */
  void arm(long steps, long failureSteps, Runnable whenCut) {
    untilCut = steps;
    untilFailure = failureSteps;
    onCut = whenCut;
    keepsPower = false;
    untilKilledAtName = -1;
  }

  /** Cancels all scheduled faults. */
  void disarm() {
    arm(-1, -1, () -> {});
  }

  /**
   * Schedules a kill of the process; the machine continues, so all writes can be read, forced or
   * not.
   *
   * @param steps steps until the kill
   * @param whenKilled ends the running process
   */
  void armKill(long steps, Runnable whenKilled) {
    arm(steps, -1, whenKilled);
    keepsPower = true;
  }

  /**
   * Schedules a kill of the process after a change of names, before it can force the change.
   *
   * @param changes changes of names until the kill
   * @param whenKilled ends the running process
   */
  void armKillAtName(long changes, Runnable whenKilled) {
    arm(-1, -1, whenKilled);
    untilKilledAtName = changes;
  }

  DiskFaults faults() {
    return faults;
  }

  /** Simulates a restart in order: all content is on the disk, and is read from there. */
  void settle() {
    pendingNames.forEach(change -> change.accept(forcedNames));
    pendingNames.clear();
    names = new TreeMap<>(forcedNames);
    for (Content content : names.values()) {
      content.pending.forEach(write -> content.forced = write.appliedTo(content.forced));
      content.pending.clear();
      content.seen = content.forced.clone();
    }
  }

  /** Returns the bytes of all files. */
  long used() {
    return names.values().stream().mapToLong(content -> content.seen.length).sum();
  }

  /** Returns a random byte; null if there is none. */
  Place any() {
    List<Place> locations = anyPlaces();
    return locations.isEmpty() ? null : locations.get(random.nextInt(locations.size()));
  }

  /** Returns a random byte outside of the last forced writes of its file; null if there is none. */
  Place anyOld() {
    List<Place> locations = anyPlaces();
    locations.removeIf(this::isLast);
    return locations.isEmpty() ? null : locations.get(random.nextInt(locations.size()));
  }

  /**
   * Returns some bytes of each file, including its header and the writes of the last but one force.
   */
  private List<Place> anyPlaces() {
    List<Place> locations = new ArrayList<>();
    names.forEach(
        (name, content) -> {
          for (int i = 0; i < PLACES && content.seen.length > 0; i++) {
            int offset = random.nextInt(content.seen.length);
            locations.add(new Place(name, i == 0 ? offset % SECTOR : offset));
          }
          for (FileWrite write : content.forcedBefore) {
            locations.add(new Place(name, write.offset() + random.nextInt(write.bytes().length)));
          }
        });
    return locations;
  }

  private boolean isLast(Place location) {
    Content content = names.get(location.name);
    return touches(content.lastForced, location.offset, 1)
        || touches(content.pending, location.offset, 1);
  }

  private static boolean touches(List<FileWrite> writes, int offset, int length) {
    return writes.stream()
        .anyMatch(
            each ->
                each.offset() < offset + length && offset < each.offset() + each.bytes().length);
  }

  /** Inverts a random bit of a byte. */
  void flip(Place location) {
    Content content = names.get(location.name);
    int bit = 1 << random.nextInt(8);
    content.seen[location.offset] ^= (byte) bit;
    content.forced[location.offset] ^= (byte) bit;
  }

  /** Makes a sector unreadable until it is written again. */
  void spoil(Place location) {
    names.get(location.name).unreadable.add(location.offset / SECTOR);
  }

  /** Makes all sectors readable. */
  void heal() {
    names.values().forEach(content -> content.unreadable.clear());
  }

  /** The operation may remain incomplete after the step. */
  private void step() {
    if (untilFailure > 0) {
      untilFailure--;
    }
    if (untilCut > 0 && --untilCut == 0) {
      if (!keepsPower) {
        cut();
      }
      onCut.run();
      world.checkAlive();
    }
  }

  /** Simulates a loss of power: each unforced write is kept, kept in part, or lost. */
  void cut() {
    for (Consumer<Map<String, Content>> change : pendingNames) {
      if (random.nextInt(2) == 0) {
        change.accept(forcedNames);
      }
    }
    pendingNames.clear();
    names = new TreeMap<>(forcedNames);
    boolean isNewestKept = faults.isLying() && random.nextInt(2) == 0;
    for (Content content : names.values()) {
      for (int i = 0; i < content.pending.size(); i++) {
        FileWrite write = content.pending.get(i);
        boolean isNewest = i == content.pending.size() - 1;
        int fate = isNewestKept ? (isNewest ? 2 : 0) : random.nextInt(3);
        if (fate > 0) {
          content.forced =
              fate == 1
                  ? write.tornOver(content.forced, SECTOR, () -> random.nextInt(2) == 0)
                  : write.appliedTo(content.forced);
        }
      }
      content.pending.clear();
      content.seen = content.forced.clone();
    }
  }

  private void take(long nanos) {
    boolean isLong = faults.isSlow() && random.nextInt(SLOW_ONE_IN) == 0;
    world.sleepUntil(world.now() + 1 + random.nextLong(isLong ? SLOW_FACTOR * nanos : nanos));
  }

  private void change(Consumer<Map<String, Content>> change) throws IOException {
    step();
    faults.checkError();
    change.accept(names);
    pendingNames.add(change);
    if (untilKilledAtName > 0 && --untilKilledAtName == 0) {
      onCut.run();
      world.checkAlive();
    }
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public DiskFile create(String name) throws IOException {
    Content content = new Content();
    change(map -> map.put(name, content));
    return new SimFile(name, content);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return new SimFile(name, content(name));
  }

  /** The intended location keeps its old content. */
  private void misdirect(Content intended, FileWrite write) {
    List<String> others = List.copyOf(names.keySet());
    String victim = others.get(random.nextInt(others.size()));
    Content content = random.nextInt(2) == 0 ? intended : names.get(victim);
    intended.pending.add(
        new FileWrite(
            write.offset() + write.bytes().length, new byte[0])); // extends the file to its length
    int offset = random.nextInt(content.forced.length / SECTOR + 1) * SECTOR;
    int length = Math.min(write.bytes().length, content.forced.length - offset);
    FileWrite elsewhere = new FileWrite(offset, Arrays.copyOf(write.bytes(), Math.max(0, length)));
    content.forced = elsewhere.appliedTo(content.forced);
    misdirected = new Misdirected(intended, write, content, elsewhere);
  }

  /**
   * Returns true if a misdirected write may have removed the end of the log that was forced last.
   * Such a log cannot be distinguished from one whose end was being written.
   */
  boolean mayLackEnd() {
    return misdirected != null
        && (isAmongLast(misdirected.intended, misdirected.write)
            || isAmongLast(misdirected.victim, misdirected.elsewhere));
  }

  private static boolean isAmongLast(Content content, FileWrite write) {
    int length = Math.max(1, write.bytes().length);
    return touches(content.lastForced, write.offset(), length)
        || touches(content.pending, write.offset(), length)
        || content.lastForced.contains(write);
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
  public void forceNames() throws IOException {
    step();
    faults.checkError();
    faults.countForce();
    if (faults.isLying()) {
      return;
    }
    List<Consumer<Map<String, Content>>> changes = List.copyOf(pendingNames);
    take(FORCE_NANOS);
    step();
    for (Consumer<Map<String, Content>> change : changes) {
      if (pendingNames.remove(change)) { // no other thread has forced it in the meantime
        change.accept(forcedNames);
      }
    }
  }

  @Override
  public String location() {
    return "the disk of the world";
  }

  @Override
  public void close() {}

  private final class SimFile implements DiskFile {
    private final String name;
    private final Content content;

    SimFile(String name, Content content) {
      this.name = name;
      this.content = content;
    }

    @Override
    public long size() {
      return content.seen.length;
    }

    @Override
    public void write(ByteBuffer source, long offset) throws IOException {
      step();
      faults.checkError();
      byte[] bytes = new byte[source.remaining()];
      long growth = Math.max(0, offset + bytes.length - content.seen.length);
      if (growth > 0) {
        faults.checkRoom(used() + growth);
      }
      source.get(bytes);
      FileWrite write = new FileWrite((int) offset, bytes);
      content.seen = write.appliedTo(content.seen);
      if (faults.isMisdirected()) {
        misdirect(content, write);
      } else {
        content.pending.add(write);
      }
      for (int at = (int) offset; at < offset + bytes.length; at += SECTOR) {
        content.unreadable.remove(at / SECTOR);
      }
      take(WRITE_NANOS);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      long end = Math.min(offset + target.remaining(), content.seen.length);
      if (content.unreadable.stream()
          .anyMatch(each -> offset < (each + 1L) * SECTOR && (long) each * SECTOR < end)) {
        throw new IOException(DiskFaults.ERROR + " file=" + name);
      }
      int count = (int) Math.min(target.remaining(), content.seen.length - offset);
      if (count > 0) {
        target.put(content.seen, (int) offset, count);
      }
      return Math.max(0, count);
    }

    /** Some of the writes since the last force are lost then. */
    private void failIfArmed() throws IOException {
      try {
        faults.checkError();
      } catch (IOException e) {
        content.pending.removeIf(write -> random.nextInt(2) == 0);
        throw e;
      }
    }

    @Override
    public void force() throws IOException {
      step();
      failIfArmed();
      faults.countForce();
      if (faults.isLying()) {
        return;
      }
      List<FileWrite> writes = List.copyOf(content.pending);
      take(FORCE_NANOS);
      step();
      if (untilFailure == 0) {
        untilFailure = -1;
        content.pending.removeIf(write -> random.nextInt(2) == 0);
        throw new IOException("Input/output error");
      }
      for (FileWrite write : writes) {
        if (content.pending.remove(write)) {
          content.forced = write.appliedTo(content.forced);
        }
      }
      if (!writes.isEmpty()) {
        content.forcedBefore = content.lastForced;
        content.lastForced = writes;
      }
    }

    @Override
    public void close() {}
  }
}
