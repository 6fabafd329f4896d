package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.DamagedFilesException;

/**
 * The files of one log among those of a directory. A memory node that is given the log of another
 * one makes it beside its own, as the next generation, which counts once it is whole: when it has
 * its file DATABASE. Names of files begin with the number of the generation, but for the first.
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
   * The generation that counts; what there is of others is removed.
   *
   * @throws DamagedFilesException if there are later ones, and none counts
   */
  public static GenerationDisk newest(Disk disk) throws IOException {
    int newest = number(disk, true);
    if (newest < 0 && number(disk, false) > 0) {
      throw new DamagedFilesException(
          "the file "
              + DatabaseFiles.DATABASE
              + " in "
              + disk.place()
              + " is missing, while there are files of a log: keep a copy of them");
    }
    GenerationDisk found = new GenerationDisk(disk, Math.max(0, newest));
    found.removeOthers();
    return found;
  }

  /** The generation that counts, or the last one if none does; nothing is changed. */
  public static GenerationDisk toRead(Disk disk) throws IOException {
    int newest = number(disk, true);
    return new GenerationDisk(disk, Math.max(0, newest < 0 ? number(disk, false) : newest));
  }

  /** All generations of which there is something. */
  public static List<GenerationDisk> all(Disk disk) throws IOException {
    return disk.list().stream()
        .map(GenerationDisk::number)
        .distinct()
        .sorted()
        .map(number -> new GenerationDisk(disk, number))
        .toList();
  }

  /** The files of the same generation in another directory, which stays open with that. */
  public GenerationDisk in(Disk other) {
    return new GenerationDisk(other, number);
  }

  /** Which of the logs that were here it is of, one after the other. */
  public int number() {
    return number;
  }

  /** The largest number of a generation, or of one that counts; less than 0: there is none. */
  private static int number(Disk disk, boolean counts) throws IOException {
    int largest = -1;
    for (String name : disk.list()) {
      if (!counts || plain(name).equals(DatabaseFiles.DATABASE)) {
        largest = Math.max(largest, number(name));
      }
    }
    return largest;
  }

  /** The next generation, of which there is nothing yet. */
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
  public String place() {
    return disk.place();
  }

  /** The directory stays with the log of which this is one generation. */
  @Override
  public void close() {}

  /** Lets somebody else have the directory. */
  public void closeDirectory() {
    disk.close();
  }
}
