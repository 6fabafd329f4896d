package org.nelumbo.dm.redo.file;

import java.io.IOException;
import org.nelumbo.dm.redo.DamagedFilesException;

/** What a database can be made from: the files of one, or a backup. */
public interface RowSource {
  /**
   * Shows rows: of one that is shown more than once the last counts. Several threads may do so at a
   * time.
   *
   * @throws DamagedFilesException if they cannot all be read
   */
  void forEachRow(RowVisitor visitor) throws IOException;

  /** Shows the rows of one store likewise. */
  default void forEachRow(int store, RowVisitor visitor) throws IOException {
    forEachRow(visitor.ofStore(store));
  }
}
