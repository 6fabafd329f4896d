package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.DamagedFilesException;

/**
 * The files of one log in a directory. A memory node that receives the log of another node stores
 * it beside its own, as the next generation, which becomes valid when its file DATABASE exists.
 * File names start with the number of the generation, except in the first one.
 */
public final class GenerationDisk implements Disk {
  private static final Pattern NUMBERED = Pattern.compile("(\\d{1,9})\\.(.+)");

  private final Disk disk;
  private final int number;
  private final String prefix;

  private GenerationDisk(Disk disk, int number) {
    this.disk = disk;
    this.number = number;
    this.prefix = number == 0 ? "" : number + ".";
  }

  /**
   * Returns the valid generation; removes the files of the others.
   *
   * @throws DamagedFilesException if there are later generations, but no valid one
   */
  public static GenerationDisk newest(Disk disk) throws IOException {
    int newest = number(disk, true);
    if (newest < 0 && number(disk, false) > 0) {
      throw new DamagedFilesException(
          "the file "
              + DatabaseFiles.DATABASE
              + " in "
              + disk.location()
              + " is missing, while there are files of a log: keep a copy of them");
    }
    GenerationDisk found = new GenerationDisk(disk, Math.max(0, newest));
    found.removeOthers();
    return found;
  }

  /** Returns the valid generation, or the last one if none is valid; changes nothing. */
  public static GenerationDisk toRead(Disk disk) throws IOException {
    int newest = number(disk, true);
    return new GenerationDisk(disk, Math.max(0, newest < 0 ? number(disk, false) : newest));
  }

  /** Returns all generations that have files. */
  public static List<GenerationDisk> all(Disk disk) throws IOException {
    return disk.list().stream()
        .map(GenerationDisk::number)
        .distinct()
        .sorted()
        .map(number -> new GenerationDisk(disk, number))
        .toList();
  }

  /** Returns the files of the same generation in another directory, which is closed separately. */
  public GenerationDisk in(Disk other) {
    return new GenerationDisk(other, number);
  }

  /** Returns the number of the generation: the logs of this directory are numbered in order. */
  public int number() {
    return number;
  }

  /** Returns the largest number of a generation, or of a valid one; negative if there is none. */
  private static int number(Disk disk, boolean counts) throws IOException {
    int largest = -1;
    for (String name : disk.list()) {
      if (!counts || plain(name).equals(DatabaseFiles.DATABASE)) {
        largest = Math.max(largest, number(name));
      }
    }
    return largest;
  }

  /** Returns the next generation, which is empty. */
  public GenerationDisk next() throws IOException {
    removeOthers();
    return new GenerationDisk(disk, number + 1);
  }

  /** Removes the files of all other generations. */
  public void removeOthers() throws IOException {
    for (String name : disk.list()) {
      if (number(name) != number) {
        disk.delete(name);
      }
    }
    disk.forceNames();
  }

  private static int number(String name) {
    Matcher matcher = NUMBERED.matcher(name);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static String plain(String name) {
    Matcher matcher = NUMBERED.matcher(name);
    return matcher.matches() ? matcher.group(2) : name;
  }

  @Override
  public List<String> list() throws IOException {
    return disk.list().stream()
        .filter(name -> number(name) == number)
        .map(GenerationDisk::plain)
        .toList();
  }

  @Override
  public DiskFile create(String name) throws IOException {
    return disk.create(prefix + name);
  }

  @Override
  public DiskFile open(String name) throws IOException {
    return disk.open(prefix + name);
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(prefix + name);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(prefix + from, prefix + to);
  }

  @Override
  public void forceNames() throws IOException {
    disk.forceNames();
  }

  @Override
  public String location() {
    return disk.location();
  }

  /** Does nothing: the directory stays open with the log to which this generation belongs. */
  @Override
  public void close() {}

  /** Closes the directory, and unlocks it. */
  public void closeDirectory() {
    disk.close();
  }
}
