package org.nelumbo.database.durable;

import java.io.IOException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** What people read when a backup cannot be written or read. */
final class BackupFailures {
  private BackupFailures() {}

  /** The directory cannot be written, or not be read. */
  static NelumboException of(String what, IOException e) {
    boolean isFull = String.valueOf(e.getMessage()).contains("No space left");
    return new NelumboException(isFull ? ErrorCode.DISK_FULL : ErrorCode.IO_ERROR, what + e, e);
  }

  /** The directory is not one for backups of the database. */
  static NelumboException of(PoolOpenException e) {
    return new NelumboException(ErrorCode.BAD_PARAMETER, e.getMessage(), e);
  }

  static NelumboException of(DamagedFilesException e) {
    return new NelumboException(ErrorCode.DATA_CORRUPTED, e.getMessage(), e);
  }
}
