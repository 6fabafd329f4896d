package org.nelumbo.soak.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.disk.Directories;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.simulation.disk.JournalWorkload;

/**
 * A real run of a database in files, with an archive and backups, and its crash points. Each crash
 * point is written into directories and opened: all acknowledged transactions are there, and no
 * uncommitted ones. Some of these openings are recorded as well, and end at a crash point of their
 * own.
 */
final class CrashPoints {
  private static final long POOL_BYTES = 16L << 20;
  private static final int SEGMENT_BYTES = 16 * 4096;
  private static final int LIVES = 3;
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 40;
  private static final int CHECKPOINTS = 3;
  private static final int BACKUPS = 3;

  /**
   * One in this many openings is recorded itself; one in this many crash points is followed by a
   * restore.
   */
  private static final int AGAIN_ONE_IN = 4;

  private static final int RESTORE_ONE_IN = 8;

  private static final List<String> DISKS = List.of("files", "archive", "backups");

  private final Path place;
  private final SplittableRandom random;
  private final DiskTrace trace = new DiskTrace();
  private final JournalWorkload workload;
  private int points;
  private int reopened;
  private int restored;

  /**
   * Creates the crash points of a run.
   *
   * @param place directory for the files of the run and of the crash points
   */
  CrashPoints(Path place, long seed) {
    this.place = place;
    this.random = new SplittableRandom(seed);
    this.workload = new JournalWorkload(done -> trace.add(new DiskTrace.Acknowledged(done)));
  }

  /** Returns the number of opened crash points, including those of recorded openings. */
  int points() {
    return points;
  }

  int reopened() {
    return reopened;
  }

  int restored() {
    return restored;
  }

  int transactions() {
    return workload.total();
  }

  /** Returns the recorded steps. */
  List<DiskTrace.Step> steps() {
    return trace.steps();
  }

  /** Uses a database and closes it in order, several times, and records its steps. */
  void record() throws Exception {
    List<Map<String, Integer>> there = new ArrayList<>(List.of(Map.of(), Map.of(), Map.of()));
    for (int life = 0; life < LIVES; life++) {
      List<RecordingDisk> disks = new ArrayList<>();
      for (int disk = 0; disk < DISKS.size(); disk++) {
        disks.add(
            new RecordingDisk(open(place.resolve(DISKS.get(disk))), disk, trace, there.get(disk)));
      }
      try (LocalDatabase database = open(disks.get(0), disks.get(1), disks.get(2))) {
        workload.begin(database);
        use(database);
      }
      for (int disk = 0; disk < DISKS.size(); disk++) {
        there.set(disk, disks.get(disk).files());
      }
    }
  }

  private static Disk open(Path directory) {
    return DirectoryDisk.openAnywhere(directory, "crash points");
  }

  private static LocalDatabase open(Disk files, Disk archive, Disk backups) {
    Directories directories =
        new Directories() {
          @Override
          public Disk open(String path, String owner) {
            return backups == null ? SYSTEM.open(path, owner) : backups;
          }

          @Override
          public Disk openToRead(String path) {
            return SYSTEM.openToRead(path);
          }
        };
    SystemEnvironment environment = new SystemEnvironment();
    RedoOptions redo =
        RedoOptions.DEFAULT
            .withSegmentBytes(SEGMENT_BYTES)
            .withBufferBytes(RedoOptions.LEAST_BUFFER_BYTES)
            .withArchive(archive == null ? null : () -> archive);
    DatabaseOptions options =
        DatabaseOptions.defaults()
            .withMemoryBytes(POOL_BYTES)
            .withRedo(redo)
            .withDirectories(directories);
    return DatabaseOpener.openFiles(
        options, environment, () -> files, () -> new LocalFabric(POOL_BYTES, environment));
  }

  private void use(LocalDatabase database) throws Exception {
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      work.add(
          () -> {
            workload.transact(database, TRANSACTIONS);
            return null;
          });
    }
    work.add(
        () -> {
          for (int i = 0; i < CHECKPOINTS; i++) {
            database.checkpoint();
          }
          return null;
        });
    work.add(
        () -> {
          for (int i = 0; i < BACKUPS; i++) {
            long least = workload.acknowledged();
            run(database, "BACKUP TO 'backups'");
            trace.add(new DiskTrace.BackedUp(least));
          }
          return null;
        });
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      for (Future<Void> each : threads.invokeAll(work)) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static void run(LocalDatabase database, String sql) {
    try (Session session = database.connect(SessionOptions.defaults());
        var execution = session.newExecution(session.prepare(sql))) {
      execution.executeUpdate();
    }
  }

  /** Opens crash points, evenly spread from the first step to the last. */
  void open(int count) throws IOException {
    open(count, trace.steps());
  }

  /** Opens crash points of other steps than the recorded ones. */
  void open(int count, List<DiskTrace.Step> steps) throws IOException {
    DiskModel model = new DiskModel(DISKS.size());
    int applied = 0;
    for (int i = 0; i < count; i++) {
      int until = (int) ((long) steps.size() * i / count);
      until = Math.min(steps.size(), until + random.nextInt(steps.size() / count + 1));
      for (; applied < until; applied++) {
        model.apply(steps.get(applied));
      }
      try {
        open(model, i);
      } catch (RuntimeException e) {
        throw new IllegalStateException(
            "crash point after step " + until + " of " + steps.size() + ": " + e, e);
      }
    }
  }

  private void open(DiskModel model, int index) throws IOException {
    points++;
    Path base = place.resolve("point");
    List<Path> directories = DISKS.stream().map(base::resolve).toList();
    try {
      model.cut(directories, random);
      if (index % AGAIN_ONE_IN == AGAIN_ONE_IN - 1) {
        openAgain(directories.get(0), model.acknowledged());
      }
      check(open(directories.get(0)), model.acknowledged());
      if (model.backedUp() >= 0 && index % RESTORE_ONE_IN == RESTORE_ONE_IN - 1) {
        restore(base, model);
      }
    } finally {
      remove(base);
    }
  }

  private void check(Disk files, long least) {
    LocalDatabase database = open(files, null, null);
    boolean isChecked = false;
    try {
      workload.state(database, least);
      isChecked = true;
    } finally {
      if (!isChecked || random.nextBoolean()) {
        database.abandon();
      } else {
        database.close();
      }
    }
  }

  private void openAgain(Path directory, long least) throws IOException {
    reopened++;
    DiskTrace opening = new DiskTrace();
    DiskModel model = new DiskModel(1);
    Map<String, Integer> numbers = new HashMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        int number = opening.addFile();
        numbers.put(name, number);
        model.add(0, name, number, Files.readAllBytes(file));
      }
    }
    check(new RecordingDisk(open(directory), 0, opening, numbers), least);
    List<DiskTrace.Step> steps = opening.steps();
    int until = random.nextInt(steps.size() + 1);
    steps.subList(0, until).forEach(model::apply);
    remove(directory);
    model.cut(List.of(directory), random);
    points++;
  }

  private void restore(Path base, DiskModel model) throws IOException {
    restored++;
    boolean isWithLog = random.nextBoolean();
    Path target = base.resolve("target");
    String log =
        isWithLog ? " LOG '" + base.resolve("archive") + "', '" + base.resolve("files") + "'" : "";
    try (LocalDatabase database = open(open(target), null, null)) {
      run(database, "RESTORE FROM '" + base.resolve("backups") + "'" + log);
      workload.state(database, isWithLog ? model.acknowledged() : model.backedUp());
    }
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
