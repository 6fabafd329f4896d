package org.nelumbo.simulation.disk;

import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of a database in files, with its archive and its backups, on faulty disks: one {@link
 * Fault} per seed. The database is opened, used and ended again and again: in order, by a kill, or
 * by a loss of power at any write, force or change of names.
 *
 * <p>The checks are defined on the states of {@link JournalWorkload}:
 *
 * <ul>
 *   <li>Every state that is served existed before.
 *   <li>It is not older than the acknowledged state. If forces have lied, it is not older than the
 *       first lie.
 *   <li>A database that cannot be served is refused with the name of the file.
 *   <li>After each life the newest backup is restored, by itself and with the log, while power is
 *       lost. The data that a backup contained when it was acknowledged is there.
 * </ul>
 */
public final class DiskFaultRun extends LossRun {
  private static final int LIVES = 3;
  private static final int CLIENTS = 3;
  private static final int TRANSACTIONS = 8;
  private static final int STEPS_OF_A_LIFE = 250;
  private static final int EARLY_STEPS = 40;
  private static final int NAMES_OF_A_LIFE = 12;
  private static final int NAMES_OF_AN_ARCHIVE = 4;
  private static final int STEPS_OF_A_RESTORE = 60;
  private static final int COPIES = 2;
  private static final long LIMIT_NANOS = 120_000_000_000L;
  private static final long STEPS = 40_000_000;
  private static final long PAUSE_NANOS = 3_000_000;
  private static final Pattern NAMED = Pattern.compile("file=\\w|the file \\w");
  private static final String FILES = "files";
  private static final String ARCHIVE = "archive";
  private static final String BACKUPS = "backups";
  private static final String TARGET = "target";

  private enum Fault {
    /** No fault of a disk; only power is lost. */
    NONE,
    /** An operation fails. */
    ERROR,
    /** The disk is full. */
    FULL,
    /** Operations take long. */
    SLOW,
    /** A bit has flipped when the database is opened. */
    FLIP,
    /** A sector is unreadable when the database is opened. */
    UNREADABLE,
    /** A write goes to another location. */
    MISDIRECTED,
    /** Forces report success without effect. */
    LIE
  }

  private enum End {
    ORDER,
    KILL,
    /** A kill just after a change of names. */
    KILL_AT_NAME,
    POWER
  }

  private final Fault fault;
  private final SimDisk files;
  private final SimDisk archive;
  private final SimDisk backups;
  private final SimMemory memory = new SimMemory();
  private final JournalWorkload workload = new JournalWorkload(number -> {});
  private LocalDatabase database;
  private int nodes;

  /** True if the database cannot be opened any more, which is allowed. */
  private boolean isOver;

  private boolean isClosed;

  /** True if the last process was killed after a change of names. */
  private boolean isNameLeft;

  /** State at the first lie of a force; negative if none has lied. */
  private long beforeLies = Long.MIN_VALUE;

  /** Acknowledged state that a backup contains at least; negative if there is no backup. */
  private long backedUp = Long.MIN_VALUE;

  public DiskFaultRun(SimWorld world, Totals totals) {
    super(world, totals, "faults", LIMIT_NANOS, STEPS);
    this.files = new SimDisk(world, FILES);
    this.archive = new SimDisk(world, ARCHIVE);
    this.backups = new SimDisk(world, BACKUPS);
    this.fault = Fault.values()[random.nextInt(Fault.values().length)];
  }

  @Override
  protected String describe() {
    return " fault=" + fault;
  }

  @Override
  protected void run() {
    for (int life = 0; life < LIVES && !isOver; life++) {
      liveOnce();
      if (!isOver) {
        afterLife();
      }
    }
    if (!isOver) {
      allDisks(SimDisk::settle);
      run(files, workload.acknowledged(), any -> {});
    }
  }

  @Override
  protected void end() {
    count("transactions", workload.total());
    count(fault.name().toLowerCase(Locale.ROOT));
  }

  private void allDisks(Consumer<SimDisk> action) {
    action.accept(files);
    action.accept(archive);
    action.accept(backups);
  }

  // A life.

  private void liveOnce() {
    SimNode node = newNode();
    SimFabric fabric = newFabric();
    isClosed = false;
    arm(node);
    setFaults();
    world.spawn(node, "life", () -> live(node, fabric));
    world.run();
    end(node, fabric);
    boolean isCut = fault == Fault.LIE && random.nextInt(4) > 0;
    allDisks(
        disk -> {
          disk.disarm();
          if (isCut) {
            disk.cut(); // also after a close in order, which was durable according to the forces
          }
          disk.faults().clear();
        });
    if (fault == Fault.FLIP || fault == Fault.MISDIRECTED || fault == Fault.LIE) {
      allDisks(SimDisk::settle);
    }
  }

  private void arm(SimNode node) {
    long steps = 1L + random.nextInt(random.nextInt(2) == 0 ? STEPS_OF_A_LIFE : EARLY_STEPS);
    SimDisk first = random.nextInt(4) > 0 ? files : random.nextInt(2) == 0 ? backups : archive;
    switch (isNameLeft ? End.POWER : End.values()[random.nextInt(End.values().length)]) {
      case ORDER -> {}
      case KILL -> first.armKill(steps, () -> stop(node));
      case KILL_AT_NAME -> killAtName(random.nextInt(2) == 0 ? files : archive, node);
      case POWER -> {
        isNameLeft = false;
        first.arm(
            steps,
            -1,
            () -> {
              allDisks(disk -> cutUnless(disk == first, disk));
              stop(node);
            });
      }
    }
  }

  /** The next life ends by a loss of power, and may rely on the change of names. */
  private void killAtName(SimDisk disk, SimNode node) {
    long changes = 1L + random.nextInt(disk == files ? NAMES_OF_A_LIFE : NAMES_OF_AN_ARCHIVE);
    disk.armKillAtName(
        changes,
        () -> {
          isNameLeft = true;
          stop(node);
        });
  }

  private void cutUnless(boolean isDone, SimDisk disk) {
    if (!isDone) {
      disk.cut();
    }
  }

  private void setFaults() {
    long operations = 1L + random.nextInt(STEPS_OF_A_LIFE);
    SimDisk any = random.nextInt(3) > 0 ? files : random.nextInt(2) == 0 ? backups : archive;
    switch (fault) {
      case ERROR -> any.faults().failAfter(operations);
      case FULL -> any.faults().setCapacity(any.used() + random.nextInt(4 * SEGMENT_BYTES));
      case SLOW -> allDisks(disk -> disk.faults().setSlow());
      case MISDIRECTED -> files.faults().misdirectAfter(operations);
      case LIE ->
          files
              .faults()
              .lieAfter(1L + random.nextInt(40), () -> beforeLies = workload.acknowledged());
      default -> {}
    }
  }

  private void end(SimNode node, SimFabric fabric) {
    stop(node);
    fabric.release();
  }

  private SimNode newNode() {
    return world.addNode("cn" + nodes++);
  }

  private SimFabric newFabric() {
    return newMemory(memory, nodes);
  }

  private LocalDatabase open(
      SimNode node, SimFabric fabric, SimDisk disk, Map<String, SimDisk> directories) {
    RedoOptions redo = REDO.withArchive(disk == files ? () -> archive : null);
    count("opened");
    return openFiles(
        node,
        fabric,
        disk,
        OPTIONS.withRedo(redo).withDirectories(new SimDirectories(directories)));
  }

  private void live(SimNode node, SimFabric fabric) {
    try {
      database = open(node, fabric, files, Map.of(BACKUPS, backups));
      workload.state(database, workload.acknowledged());
      workload.begin(database);
    } catch (RuntimeException e) {
      checkFailure(e);
      return;
    }
    Users users = new Users(node, () -> tolerate(this::close));
    for (int i = 0; i < CLIENTS; i++) {
      users.spawn("client-" + i, () -> workload.transact(database, TRANSACTIONS));
    }
    users.spawn("checkpoints", this::writeCheckpoints);
    users.spawn("backups", this::backUp);
  }

  /** Checks that an exception is an expected symptom of the fault. */
  @Override
  void checkFailure(RuntimeException e) {
    if (!isRefusal(e)) {
      throw e;
    }
    count("refused");
  }

  private boolean isRefusal(RuntimeException e) {
    if (!SchemaSteps.isLoss(e) && !(e instanceof NelumboException)) {
      return false;
    }
    boolean isDamage = isDamage(e);
    boolean isDiskFull = e instanceof NelumboException known && known.code() == ErrorCode.DISK_FULL;
    return switch (fault) {
      case NONE, SLOW, FLIP -> false;
      case ERROR, UNREADABLE -> SchemaSteps.isLoss(e);
      case FULL -> SchemaSteps.isLoss(e) || isDiskFull;
      case MISDIRECTED, LIE -> isDamage;
    };
  }

  private void close() {
    boolean isWhole = database.isOpen();
    database.close();
    isClosed = isWhole;
  }

  private void writeCheckpoints() {
    for (int i = 0; i < 2; i++) {
      pause(PAUSE_NANOS);
      database.checkpoint();
    }
  }

  /** The first life always has a backup; later ones may need the logs of several lives. */
  private void backUp() {
    int times = backedUp < JournalWorkload.NO_TABLES ? 2 : random.nextInt(3);
    for (int i = 0; i < times; i++) {
      pause(PAUSE_NANOS);
      long least = workload.acknowledged();
      String isFull = random.nextInt(3) == 0 ? " FULL" : "";
      execute(database, "BACKUP TO '" + BACKUPS + "'" + isFull);
      backedUp = Math.max(backedUp, least);
    }
  }

  // Checks after a life.

  private void afterLife() {
    switch (fault) {
      case NONE, ERROR, FULL, SLOW -> restore();
      case FLIP -> lookAtCopies(disk -> disk::flip);
      case UNREADABLE -> lookAtCopies(disk -> disk::spoil);
      case MISDIRECTED -> lookAtMisdirected();
      case LIE -> lookAfterLies();
    }
  }

  /**
   * Opens the database on a disk, and checks its state.
   *
   * @param whenRefused receives the error of a database that is refused because of damage
   * @return the state; less than {@link JournalWorkload#NO_TABLES} if it was refused
   */
  private long run(SimDisk disk, long least, Consumer<RuntimeException> whenRefused) {
    long[] state = {Long.MIN_VALUE};
    SimNode node = newNode();
    SimFabric fabric = newFabric();
    world.run(
        node,
        "look",
        () -> {
          LocalDatabase found;
          try {
            found = open(node, fabric, disk, Map.of(BACKUPS, backups));
          } catch (NelumboException e) {
            whenRefused.accept(e);
            count("refused");
            return;
          }
          state[0] = workload.state(found, least);
          found.close();
        });
    end(node, fabric);
    return state[0];
  }

  private static void refuseNothing(RuntimeException e) {
    throw e;
  }

  private static boolean isDamage(RuntimeException e) {
    return e instanceof NelumboException known
        && known.code() == ErrorCode.DATA_CORRUPTED
        && NAMED.matcher(e.getMessage()).find();
  }

  private static void checkDamage(RuntimeException e) {
    if (!isDamage(e)) {
      throw e;
    }
  }

  private static void checkUnreadable(RuntimeException e) {
    boolean isNamed =
        e instanceof NelumboException known
            && (known.code() == ErrorCode.IO_ERROR || known.code() == ErrorCode.CONNECTION_FAILED)
            && e.getMessage().contains(DiskFaults.ERROR + " file=");
    if (!isNamed) {
      throw e;
    }
  }

  private void lookAtCopies(Function<SimDisk, Consumer<SimDisk.Place>> damage) {
    long state = run(files.copy(), workload.acknowledged(), DiskFaultRun::refuseNothing);
    for (int i = 0; i < COPIES; i++) {
      SimDisk copy = files.copy();
      SimDisk.Place place = isClosed ? files.any() : files.anyOld();
      if (place == null) {
        return;
      }
      damage.apply(copy).accept(place);
      boolean isFlip = fault == Fault.FLIP;
      long found =
          run(copy, state, isFlip ? DiskFaultRun::checkDamage : DiskFaultRun::checkUnreadable);
      if (found >= JournalWorkload.NO_TABLES && found != state) {
        throw new Violation("a damaged file was returned: " + place);
      }
      copy.heal();
      if (!isFlip && found < JournalWorkload.NO_TABLES) {
        run(copy, state, DiskFaultRun::refuseNothing);
      }
    }
  }

  private void lookAtMisdirected() {
    long least = workload.acknowledged();
    boolean mayLackEnd = !isClosed && files.mayLackEnd();
    long state =
        run(
            files.copy(),
            mayLackEnd ? JournalWorkload.NO_TABLES : least,
            DiskFaultRun::checkDamage);
    isOver = state < least;
  }

  private void lookAfterLies() {
    long least = beforeLies == Long.MIN_VALUE ? workload.acknowledged() : beforeLies;
    long state = run(files.copy(), least, DiskFaultRun::checkDamage);
    isOver = state < JournalWorkload.NO_TABLES;
    workload.goBackTo(state);
    beforeLies = Long.MIN_VALUE;
  }

  // Backups.

  private void restore() {
    if (backedUp < JournalWorkload.NO_TABLES) {
      return;
    }
    restore("", backedUp);
    restore(" LOG '" + ARCHIVE + "', '" + FILES + "'", workload.acknowledged());
  }

  /** The files lose power in between: afterwards everything is there, or nothing. */
  private void restore(String log, long least) {
    SimDisk target = new SimDisk(world, TARGET + nodes);
    restoreOnce(target, 1 + random.nextInt(STEPS_OF_A_RESTORE), log);
    long state = restoreOnce(target, -1, log);
    if (state < least) {
      throw new Violation("a backup lacks earlier rows" + log + ": " + state + " of " + least);
    }
    count("restored");
  }

  private long restoreOnce(SimDisk target, long steps, String log) {
    long[] state = {JournalWorkload.NO_TABLES};
    SimNode node = newNode();
    SimFabric fabric = newFabric();
    target.arm(steps, -1, () -> stop(node));
    world.run(
        node,
        "restore",
        () -> {
          Map<String, SimDisk> directories =
              Map.of(BACKUPS, backups, ARCHIVE, archive, FILES, files);
          LocalDatabase made = open(node, fabric, target, directories);
          if (workload.state(made, JournalWorkload.NO_TABLES) == JournalWorkload.NO_TABLES) {
            execute(made, "RESTORE FROM '" + BACKUPS + "'" + log);
          }
          state[0] = workload.state(made, JournalWorkload.NO_TABLES);
          made.close();
        });
    target.disarm();
    end(node, fabric);
    return state[0];
  }
}
