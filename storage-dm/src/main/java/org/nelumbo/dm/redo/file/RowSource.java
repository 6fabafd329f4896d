package org.nelumbo.dm.redo.file;

import java.io.IOException;
import org.nelumbo.dm.redo.DamagedFilesException;

/** A source of rows from which a database can be built: the files of a database, or a backup. */
public interface RowSource {
  /**
   * Passes all rows to a visitor. If a row occurs several times, the last one counts. Several
   * threads may do so concurrently.
   *
   * @throws DamagedFilesException if not all rows can be read
   */
  void forEachRow(RowVisitor visitor) throws IOException;

  /** Passes the rows of one store to a visitor. */
  default void forEachRow(int store, RowVisitor visitor) throws IOException {
    forEachRow(visitor.ofStore(store));
  }
}
