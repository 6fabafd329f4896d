package org.nelumbo.dm.disk;

import java.io.IOException;
import java.util.List;

/** A directory of files with plain names, for one process. Thread-safe. */
public interface Disk extends AutoCloseable {
  /** Names of the files that are there, in no order. */
  List<String> list() throws IOException;

  /** Makes a file; one of that name that is there is emptied. Only its owner may read it. */
  DiskFile create(String name) throws IOException;

  /** Opens a file that is there. */
  DiskFile open(String name) throws IOException;

  /** Removes a file that is there. */
  void delete(String name) throws IOException;

  /** Gives a file another name; one that has that name is replaced. */
  void rename(String from, String to) throws IOException;

  /** Forces what files there are, and what they are called. */
  void forceNames() throws IOException;

  /** What people know the directory by. */
  String place();

  /** Lets somebody else have the directory; harmless when that was done. */
  @Override
  void close();
}
