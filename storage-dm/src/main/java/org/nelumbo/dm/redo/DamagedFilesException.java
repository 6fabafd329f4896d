package org.nelumbo.dm.redo;

/** The files of a database are not what a stop at any moment can have left. */
public final class DamagedFilesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedFilesException(String message) {
    super(message);
  }
}
