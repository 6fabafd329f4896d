package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.file.RowFileWriter;

/**
 * The backups in a directory: a full backup, followed by any number of incremental ones, each with
 * the changes since the previous one; then possibly another full backup, and so on. One thread at a
 * time.
 */
public final class BackupFiles implements AutoCloseable {
  private static final String UNFINISHED = "backup.new";

  private final Disk disk;
  private final int rowFormat;
  private final Map<Long, FileHeader> headers = new TreeMap<>();
  private final List<Backup> backups = new ArrayList<>();

  private BackupFiles(Disk disk, int rowFormat) {
    this.disk = disk;
    this.rowFormat = rowFormat;
  }

  /**
   * Reads the headers of the backups; closing this closes the disk.
   *
   * @param rowFormat format of the images of rows
   * @throws PoolOpenException if the directory has another purpose, or was written by another
   *     version
   * @throws DamagedFilesException if a file has no valid header
   */
  public static BackupFiles open(Disk disk, int rowFormat) throws IOException {
    BackupFiles files = new BackupFiles(disk, rowFormat);
    String other = null;
    for (String name : disk.list()) {
      long number = Backup.number(name);
      if (number >= 0) {
        files.readHeader(number);
      } else if (!name.equals(UNFINISHED)) {
        other = name;
      }
    }
    if (files.headers.isEmpty() && other != null) {
      throw new PoolOpenException(
          "the directory has files, but no backup: name another one directory="
              + disk.location()
              + " file="
              + other);
    }
    return files;
  }

  private void readHeader(long number) throws IOException {
    String name = Backup.name(number);
    try (DiskFile file = disk.open(name)) {
      FileHeader header = FileHeader.read(file, name, FileHeader.BACKUP);
      if (header == null || header.first() != number) {
        throw damaged(name, "its first block does not belong to this backup");
      }
      if (header.rowFormat() != rowFormat) {
        throw new PoolOpenException(
            "the backup "
                + name
                + " in "
                + disk.location()
                + " has the row format of another version of Nelumbo: use that one format="
                + header.rowFormat()
                + " expected="
                + rowFormat);
      }
      headers.put(number, header);
      backups.add(
          new Backup(number, header.second(), header.database(), header.timestamp(), file.size()));
      backups.sort((a, b) -> Long.compare(a.number(), b.number()));
    }
  }

  private DamagedFilesException damaged(String name, String why) {
    return new DamagedFilesException(
        "the backup " + name + " in " + disk.location() + " cannot be used: " + why);
  }

  /** Returns the complete backups, in the order of their creation. */
  public List<Backup> backups() {
    return List.copyOf(backups);
  }

  /** Returns the newest backup; null if there is none. */
  public Backup newest() {
    return backups.isEmpty() ? null : backups.getLast();
  }

  /** Returns the newest backup up to a timestamp; null if there is none. */
  public Backup newestUpTo(long timestamp) {
    Backup found = null;
    for (Backup backup : backups) {
      found = backup.timestamp() <= timestamp ? backup : found;
    }
    return found;
  }

  /**
   * Returns the rows of a backup; the backups that it builds upon must exist.
   *
   * @throws DamagedFilesException if one is missing
   */
  public BackupRows rows(Backup backup) {
    return new BackupRows(disk, chain(backup));
  }

  /** The full backup is the first. */
  private List<String> chain(Backup backup) {
    List<String> names = new ArrayList<>();
    FileHeader before = null;
    for (long number = backup.first(); number <= backup.number(); number++) {
      FileHeader header = headers.get(number);
      if (header == null) {
        throw damaged(backup.name(), "it depends on " + Backup.name(number) + ", which is missing");
      }
      boolean isNext =
          before == null
              ? header.second() == number
              : header.second() == backup.first()
                  && header.third() == before.timestamp()
                  && header.database() == before.database();
      if (!isNext) {
        throw damaged(Backup.name(number), "it does not continue the backups in this directory");
      }
      names.add(Backup.name(number));
      before = header;
    }
    return names;
  }

  /**
   * Starts a backup, which is valid only when it is finished.
   *
   * @param database id of the database
   * @param timestamp timestamp of the state
   * @param isFull true for a full backup, even if there is one to build upon
   * @param stores stores whose rows will be added
   * @throws PoolOpenException if the directory has backups of another database
   */
  public BackupWriter begin(long database, long timestamp, boolean isFull, Set<Integer> stores)
      throws IOException {
    Backup before = newest();
    if (before != null && !isFull && before.database() != database) {
      throw new PoolOpenException(
          "the directory has backups of another database: name another one, or take one of all rows"
              + " (FULL) directory="
              + disk.location());
    }
    long number = before == null ? 1 : before.number() + 1;
    boolean buildsUpon = before != null && !isFull;
    FileHeader header =
        new FileHeader(
            FileHeader.BACKUP,
            rowFormat,
            database,
            number,
            buildsUpon ? before.first() : number,
            buildsUpon ? before.timestamp() : 0,
            timestamp);
    MergedRows base = buildsUpon ? new MergedRows(disk, chain(before)) : null;
    boolean isBegun = false;
    try {
      DiskFile file = disk.create(UNFINISHED);
      RowFileWriter writer = new RowFileWriter(file, header);
      header.write(file);
      BackupWriter begun = new BackupWriter(this, writer, base, stores);
      isBegun = true;
      return begun;
    } finally {
      if (!isBegun && base != null) {
        base.close();
      }
    }
  }

  /** Renames a complete backup, which makes it valid. */
  void finish(RowFileWriter writer) throws IOException {
    writer.complete();
    long number = writer.header().first();
    disk.rename(UNFINISHED, Backup.name(number));
    disk.forceNames();
    readHeader(number);
  }

  /** Removes an unfinished backup. */
  void discard() throws IOException {
    if (disk.list().contains(UNFINISHED)) {
      disk.delete(UNFINISHED);
    }
  }

  @Override
  public void close() {
    disk.close();
  }
}
