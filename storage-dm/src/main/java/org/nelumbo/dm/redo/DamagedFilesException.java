package org.nelumbo.dm.redo;

/** Thrown if the files of a database are in a state that no crash can have left. */
public final class DamagedFilesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DamagedFilesException(String message) {
    super(message);
  }
}
