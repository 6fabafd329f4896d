package org.nelumbo.dm.disk;

import java.io.IOException;
import java.util.List;

/** A directory of files with plain names, for one process. Thread-safe. */
public interface Disk extends AutoCloseable {
  /** Returns the names of the existing files, in no order. */
  List<String> list() throws IOException;

  /** Creates a file, or truncates an existing one. Only its owner may read it. */
  DiskFile create(String name) throws IOException;

  /** Opens an existing file. */
  DiskFile open(String name) throws IOException;

  /** Deletes an existing file. */
  void delete(String name) throws IOException;

  /** Renames a file; an existing file of the new name is replaced. */
  void rename(String from, String to) throws IOException;

  /** Makes creations, deletions and renamings of files durable. */
  void forceNames() throws IOException;

  /** Returns the display name of the directory. */
  String location();

  /** Releases the directory for other processes; idempotent. */
  @Override
  void close();
}
