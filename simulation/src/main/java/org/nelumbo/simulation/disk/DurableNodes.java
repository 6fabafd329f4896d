package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.dm.redo.backup.LoggedRows;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.replication.ReplicaPlan;
import org.nelumbo.simulation.replication.SimReplicas;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Memory nodes with copies of a pool, each of which keeps a log on its own disk. When a node fails,
 * its memory is lost, or left to the next process, however old it is by then. Its log, and its
 * promises as an acceptor, survive.
 */
final class DurableNodes implements SimReplicas.Logs {
  static final int NODES = 3;

  private static final long LOGICAL_BYTES = 2L << 20;
  private static final int SEGMENT_BYTES = 5 * 4096;

  private final SimWorld world;
  private final SimReplicas replicas;
  private final SimDisk[] disks = new SimDisk[NODES];

  /** Null without archives. */
  private final SimDisk[] archives;

  /** Numbers of the logs of the nodes when the first backup was written. */
  private final int[] generations = new int[NODES];

  /**
   * Old copies of the log and archive of a node, which restores use as if the node was away for
   * long.
   */
  private List<SimDisk> older;

  private int olderNode = -1;

  private final SimNode[] processes = new SimNode[NODES];
  private final NodeLog[] logs = new NodeLog[NODES];
  private final List<List<SimPoolLog>> ways = new ArrayList<>();
  private int starts;

  /** Draws whether a process finds memory left by its predecessor; null: never. */
  private final SimRandom left;

  /**
   * Creates the memory nodes of a world.
   *
   * @param leavesMemory whether failed processes may leave their memory to the next ones
   * @param hasArchives whether each node has an archive of its log, on another disk
   */
  DurableNodes(SimWorld world, boolean leavesMemory, boolean hasArchives) {
    this.world = world;
    this.archives = hasArchives ? new SimDisk[NODES] : null;
    this.left = leavesMemory ? world.random("left memory") : null;
    ReplicaPlan plan = new ReplicaPlan(NODES, 1, 0, 0, 0, 0, 0, false, false);
    FabricModel model = FabricModel.preset(FabricModel.PRESETS.get(0));
    this.replicas = SimReplicas.of(world, model, NODES, LOGICAL_BYTES, new SimMemory(), plan);
    replicas.setLogs(this);
    for (int node = 0; node < NODES; node++) {
      disks[node] = new SimDisk(world, "disk " + node);
      if (hasArchives) {
        archives[node] = new SimDisk(world, "archive " + node);
      }
      ways.add(new ArrayList<>());
      replicas.stopNode(node);
    }
  }

  SimReplicas replicas() {
    return replicas;
  }

  SimDisk disk(int node) {
    return disks[node];
  }

  /** Returns the archive of a node; null if it has none. */
  SimDisk archive(int node) {
    return archives == null ? null : archives[node];
  }

  /** Cuts the power of a node's disks. */
  void cut(int node) {
    disks[node].cut();
    if (archives != null) {
      archives[node].cut();
    }
  }

  /** Disables loss of power and failures of a node's disks. */
  void disarm(int node) {
    disks[node].arm(-1, -1, () -> {});
    if (archives != null) {
      archives[node].arm(-1, -1, () -> {});
    }
  }

  /** Returns true if the log of a node has failed, so that the node has to be restarted. */
  boolean hasFailed(int node) {
    return logs[node] != null && logs[node].failure() != null;
  }

  /** Starts a node; called by a task of the process created by {@link #newProcess}. */
  void start(int node) {
    RedoOptions options =
        RedoOptions.DEFAULT
            .withSegmentBytes(SEGMENT_BYTES)
            .withBufferBytes(RedoOptions.LEAST_BUFFER_BYTES)
            .withArchive(archives == null ? null : () -> archives[node]);
    NodeLog log = NodePool.open(processes[node].environment(), disks[node], options, null, 2);
    try {
      log.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean isLeft = left != null && left.nextInt(4) > 0;
    if (isLeft) {
      replicas.restartWithLeft(node, processes[node]);
    }
    logs[node] = log;
    if (!isLeft) {
      replicas.restart(node);
    }
  }

  SimNode newProcess(int node) {
    processes[node] = world.addNode("mn" + node + " start " + starts++);
    return processes[node];
  }

  /** Returns true if a node is up and has opened its log. */
  boolean isStarted(int node) {
    return logs[node] != null;
  }

  /** Makes a node compact its log if it is up. */
  void digest(int node) {
    if (logs[node] != null) {
      logs[node].digest();
    }
  }

  /**
   * Checks that nodes have the same rows in their logs; no append is in progress.
   *
   * @param live nodes that are compared, as a bit set
   * @throws Violation if they differ
   */
  void compareLogs(long live) throws IOException {
    SimDisk[] copies = new SimDisk[NODES];
    for (int node = 0; node < NODES; node++) {
      boolean isLive = NodeBits.has(live, node) && logs[node] != null;
      copies[node] = isLive && logs[node].failure() == null ? disks[node].copy() : null;
    }
    Map<String, Integer> first = null;
    for (int node = 0; node < NODES; node++) {
      if (copies[node] != null) {
        Map<String, Integer> rows = rows(node, copies[node]);
        if (first != null && !rows.equals(first)) {
          throw new Violation(
              "the log of a live node has other rows node=" + node + difference(first, rows));
        }
        first = rows;
      }
    }
  }

  static String difference(Map<String, Integer> first, Map<String, Integer> rows) {
    Map<String, Integer> missing = new TreeMap<>(first);
    missing.entrySet().removeAll(rows.entrySet());
    Map<String, Integer> more = new TreeMap<>(rows);
    more.entrySet().removeAll(first.entrySet());
    return " missing=" + missing + " more=" + more;
  }

  /** Records the logs of the nodes if the first of some backups is about to be written. */
  void noteIfFirst(SimDisk backups) throws IOException {
    if (!BackupFiles.open(backups.copy(), RowLayout.FORMAT).backups().isEmpty()) {
      return;
    }
    for (int node = 0; node < NODES; node++) {
      generations[node] = generation(node);
    }
  }

  private int generation(int node) throws IOException {
    return GenerationDisk.newest(disks[node].copy()).number();
  }

  /**
   * Keeps a copy of a node's current log, as if the node was away from now on. Does nothing if the
   * node has no pool's log.
   */
  void keepOlder(int node) throws IOException {
    SimDisk disk = disks[node].copy();
    if (GenerationDisk.newest(disk).list().contains(DatabaseFiles.DATABASE)) {
      DatabaseFiles files = files(node, disk);
      if (!NodeLog.poolName(GenerationDisk.newest(disk), files.id()).isEmpty()) {
        older = List.of(disk, archives[node].copy());
        olderNode = node;
      }
      files.abandon();
    }
  }

  /**
   * Checks restores from backup and logs. The first of some backups plus the logs must give the
   * rows of each later backup as of its timestamp, and the current rows of the pool. This holds for
   * the logs of each node alone, unless the node was given another log since, for the logs of all
   * nodes, and for all if one was away for long. All nodes are live, and no append is in progress.
   *
   * @return the number of compared states
   * @throws Violation if one of them has other rows
   */
  int compareRestored(Disk backups) throws IOException {
    BackupFiles files = BackupFiles.open(backups, RowLayout.FORMAT);
    List<Disk> all = new ArrayList<>();
    List<Disk> allButOne = new ArrayList<>();
    boolean reachesBack = false;
    boolean othersReachBack = false;
    int compared = 0;
    for (int node = 0; node < NODES; node++) {
      List<Disk> own = List.of(disks[node].copy(), archives[node].copy());
      boolean isSame = generation(node) == generations[node];
      compared += compareRestored("alone " + node, files, own, isSame);
      all.addAll(own);
      allButOne.addAll(node == olderNode ? older : own);
      reachesBack |= isSame;
      othersReachBack |= isSame && node != olderNode;
    }
    compared += compareRestored("all", files, all, reachesBack);
    return compared
        + (olderNode < 0
            ? 0
            : compareRestored("older " + olderNode, files, allButOne, othersReachBack));
  }

  private int compareRestored(String which, BackupFiles files, List<Disk> logs, boolean reachesBack)
      throws IOException {
    Backup first = files.backups().getFirst();
    int compared = 0;
    try {
      for (Backup later : files.backups()) {
        RowSource restored = LoggedRows.open(files.rows(first), first, logs, later.timestamp());
        compare(which + " restored to the time of " + later.name(), files.rows(later), restored);
        compared++;
      }
      RowSource now = LoggedRows.open(files.rows(first), first, logs, Long.MAX_VALUE);
      DatabaseFiles log = files(0, disks[0].copy());
      compare(which + " restored to the end", log, now);
      log.abandon();
      return compared + 1;
    } catch (PoolOpenException e) {
      if (reachesBack || !e.getMessage().contains("begins after the backup")) {
        throw e;
      }
      return compared;
    }
  }

  private static void compare(String what, RowSource expected, RowSource found) throws IOException {
    Map<String, Integer> wanted = restorableRows(expected);
    Map<String, Integer> rows = restorableRows(found);
    if (!wanted.equals(rows)) {
      throw new Violation(what + ", it has other rows" + difference(wanted, rows));
    }
  }

  /** Omits the locations of tables, which differ after a restore. */
  private static Map<String, Integer> restorableRows(RowSource source) throws IOException {
    Map<String, Integer> rows = presentRows(source);
    rows.keySet().removeIf(name -> name.startsWith(CatalogImage.STORE + ":"));
    CatalogImage.of(source)
        .contents()
        .forEach((name, data) -> rows.put("catalog " + name, data.hashCode()));
    return rows;
  }

  /**
   * Returns hashes of the images in a log by store and key, without stores that belong to no table.
   */
  private Map<String, Integer> rows(int node, SimDisk copy) throws IOException {
    DatabaseFiles files = files(node, copy);
    Map<String, Integer> rows = presentRows(files);
    files.abandon();
    return rows;
  }

  private static Map<String, Integer> presentRows(RowSource source) throws IOException {
    CatalogImage catalogue = new CatalogImage();
    Map<String, Integer> stores = new TreeMap<>();
    Map<String, Integer> rows =
        allRows(
            source,
            (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
              catalogue.row(store, bytes, offset, keyLength, imageLength, isDeleted);
              stores.put(
                  name(store, Arrays.copyOfRange(bytes, offset, offset + keyLength), keyLength),
                  store);
            });
    Set<Integer> present = new TreeSet<>(Set.of(CatalogImage.STORE));
    catalogue.tables().forEach(table -> present.add(table.storeId()));
    rows.keySet().removeIf(name -> !present.contains(stores.get(name)));
    return rows;
  }

  /** Returns hashes of all images in the log of a node, by {@link #name}. */
  Map<String, Integer> rowsOf(int node) throws IOException {
    DatabaseFiles files = files(node, disks[node].copy());
    Map<String, Integer> rows = allRows(files, (_, _, _, _, _, _) -> {});
    files.abandon();
    return rows;
  }

  static String name(int store, byte[] key, int length) {
    return store + ":" + HexFormat.of().formatHex(key, 0, length);
  }

  private DatabaseFiles files(int node, SimDisk copy) throws IOException {
    return DatabaseFiles.open(
        processes[node].environment(),
        GenerationDisk.newest(copy),
        RedoOptions.DEFAULT,
        RowLayout.FORMAT,
        PoolExpectation.EXISTING);
  }

  private static Map<String, Integer> allRows(RowSource source, RowVisitor also)
      throws IOException {
    Map<String, Integer> rows = new TreeMap<>();
    source.forEachRow(
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          also.row(store, bytes, offset, keyLength, imageLength, isDeleted);
          String name =
              name(store, Arrays.copyOfRange(bytes, offset, offset + keyLength), keyLength);
          if (isDeleted) {
            rows.remove(name);
          } else {
            byte[] image = Arrays.copyOfRange(bytes, offset, offset + imageLength);
            rows.put(name, Arrays.hashCode(image));
          }
        });
    return rows;
  }

  /** Stops a node: none of its tasks takes another step, except one that is about to end. */
  void die(int node, SimTask spared) {
    logs[node] = null;
    ways.get(node).forEach(SimPoolLog::end); // later requests fail
    ways.get(node).clear();
    replicas.stopNode(node);
    for (SimTask task : world.tasksOf(processes[node])) {
      if (task != spared) {
        world.stop(task);
      }
    }
  }

  @Override
  public PoolLog open(int node, boolean isAlone, BooleanSupplier isFenced, BooleanSupplier isGone) {
    NodeLog log = log(node);
    if (isAlone) {
      List.copyOf(ways.get(node))
          .forEach(way -> end(node, log, way)); // the node no longer serves them
    }
    if (logs[node] != log) {
      throw gone(node);
    }
    SimPoolLog way = new SimPoolLog(world, node, processes[node], log, isFenced, isGone);
    ways.get(node).add(way);
    return way;
  }

  @Override
  public void end(int node, PoolLog way) {
    if (logs[node] != null && ways.get(node).contains(way)) {
      end(node, logs[node], (SimPoolLog) way);
    }
  }

  private void end(int node, NodeLog log, SimPoolLog way) {
    way.end();
    while (way.isAtWork() && logs[node] == log) {
      world.sleepUntil(world.now() + SimPoolLog.POLL_NANOS);
    }
    if (logs[node] == log && ways.get(node).remove(way)) {
      way.close();
    }
  }

  @Override
  public long id(int node) {
    return log(node).id();
  }

  /** Returns the log of a node, which may fail while a compute node connects to it. */
  private NodeLog log(int node) {
    if (logs[node] == null) {
      throw gone(node);
    }
    return logs[node];
  }

  private static FabricException gone(int node) {
    return new FabricException(node, "the memory node has stopped", null);
  }
}
