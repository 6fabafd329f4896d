package org.nelumbo.database.durable;

import java.io.IOException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Creates the errors for backups that cannot be written or read. */
final class BackupFailures {
  private BackupFailures() {}

  /** Returns the error for a directory that cannot be written or read. */
  static NelumboException of(String what, IOException e) {
    boolean isFull = String.valueOf(e.getMessage()).contains("No space left");
    return new NelumboException(isFull ? ErrorCode.DISK_FULL : ErrorCode.IO_ERROR, what + e, e);
  }

  /** Returns the error for a directory that does not belong to backups of the database. */
  static NelumboException of(PoolOpenException e) {
    return new NelumboException(ErrorCode.BAD_PARAMETER, e.getMessage(), e);
  }

  static NelumboException of(DamagedFilesException e) {
    return new NelumboException(ErrorCode.DATA_CORRUPTED, e.getMessage(), e);
  }
}
