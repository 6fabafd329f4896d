package org.nelumbo.soak.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.nelumbo.simulation.disk.FileWrite;

/**
 * The content of disks after the steps of a trace so far: the durable content, and the writes that
 * a loss of power may undo. For one thread at a time.
 */
final class DiskModel {
  /** Bytes that a device writes wholly or not at all. */
  private static final int SECTOR = 512;

  private static final class Content {
    private byte[] certain = new byte[0];
    private final List<Pending> pending = new ArrayList<>();
  }

  private record Pending(int step, FileWrite write) {}

  private static final class Names {
    private Map<String, Integer> certain = new TreeMap<>();
    private final List<PendingChange> pending = new ArrayList<>();

    private Map<String, Integer> all() {
      Map<String, Integer> all = new TreeMap<>(certain);
      pending.forEach(each -> each.change.accept(all));
      return all;
    }
  }

  private record PendingChange(int step, Consumer<Map<String, Integer>> change) {}

  private enum Loss {
    EVERYTHING,
    NOTHING,
    SOMETHING
  }

  private final Map<Integer, Content> files = new HashMap<>();
  private final List<Names> disks = new ArrayList<>();
  private int step;
  private long acknowledged = -1;
  private long backedUp = -1;

  /** Creates a model of disks without files. */
  DiskModel(int disks) {
    for (int i = 0; i < disks; i++) {
      this.disks.add(new Names());
    }
  }

  /** Adds a file that exists from the beginning. */
  void add(int disk, String name, int file, byte[] bytes) {
    Content content = new Content();
    content.certain = bytes;
    files.put(file, content);
    disks.get(disk).certain.put(name, file);
  }

  /** Returns the last acknowledged transaction; negative if there is none. */
  long acknowledged() {
    return acknowledged;
  }

  /**
   * Returns the last transaction that a backup is certain to contain; negative if there may be no
   * backup.
   */
  long backedUp() {
    return backedUp;
  }

  /** Applies the next step. */
  void apply(DiskTrace.Step next) {
    switch (next) {
      case DiskTrace.Created created -> {
        files.put(created.file(), new Content());
        change(created.disk(), names -> names.put(created.name(), created.file()));
      }
      case DiskTrace.Deleted deleted ->
          change(deleted.disk(), names -> names.remove(deleted.name()));
      case DiskTrace.Renamed renamed -> rename(renamed);
      case DiskTrace.Written written ->
          files
              .get(written.file())
              .pending
              .add(new Pending(step, new FileWrite((int) written.offset(), written.bytes())));
      case DiskTrace.Forced forced -> force(files.get(forced.file()), forced.steps());
      case DiskTrace.NamesForced forced -> force(disks.get(forced.disk()), forced.steps());
      case DiskTrace.Acknowledged done -> acknowledged = Math.max(acknowledged, done.number());
      case DiskTrace.BackedUp done -> backedUp = Math.max(backedUp, done.number());
    }
    step++;
  }

  private void change(int disk, Consumer<Map<String, Integer>> change) {
    disks.get(disk).pending.add(new PendingChange(step, change));
  }

  private void rename(DiskTrace.Renamed renamed) {
    int file = disks.get(renamed.disk()).all().get(renamed.from());
    change(
        renamed.disk(),
        names -> {
          names.remove(renamed.from(), file);
          names.put(renamed.to(), file);
        });
  }

  private static void force(Content content, int steps) {
    content.pending.removeIf(
        each -> {
          boolean isForced = each.step < steps;
          if (isForced) {
            content.certain = each.write.appliedTo(content.certain);
          }
          return isForced;
        });
  }

  private static void force(Names names, int steps) {
    names.pending.removeIf(
        change -> {
          boolean isForced = change.step < steps;
          if (isForced) {
            change.change.accept(names.certain);
          }
          return isForced;
        });
  }

  /**
   * Writes files as a loss of power at this point may leave them.
   *
   * @param directories directories of the disks, empty or missing
   */
  void cut(List<Path> directories, SplittableRandom random) throws IOException {
    Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
    for (int disk = 0; disk < disks.size(); disk++) {
      Path directory = directories.get(disk);
      Files.createDirectories(directory);
      for (Map.Entry<String, Integer> name : names(disks.get(disk), loss, random).entrySet()) {
        Files.write(
            directory.resolve(name.getKey()), content(files.get(name.getValue()), loss, random));
      }
    }
  }

  private static Map<String, Integer> names(Names names, Loss loss, SplittableRandom random) {
    Map<String, Integer> left = new TreeMap<>(names.certain);
    for (PendingChange each : names.pending) {
      if (loss == Loss.NOTHING || loss == Loss.SOMETHING && random.nextBoolean()) {
        each.change.accept(left);
      }
    }
    return left;
  }

  private static byte[] content(Content content, Loss loss, SplittableRandom random) {
    byte[] left = content.certain.clone();
    for (Pending each : content.pending) {
      int fate = loss == Loss.NOTHING ? 2 : loss == Loss.EVERYTHING ? 0 : random.nextInt(3);
      if (fate > 0) {
        left =
            fate == 1
                ? each.write.tornOver(left, SECTOR, random::nextBoolean)
                : each.write.appliedTo(left);
      }
    }
    return left;
  }
}
