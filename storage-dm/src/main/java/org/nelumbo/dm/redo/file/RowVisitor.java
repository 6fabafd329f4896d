package org.nelumbo.dm.redo.file;

/** Receives rows of a checkpoint or of the log. */
@FunctionalInterface
public interface RowVisitor {
  /**
   * A row as it was from some moment on.
   *
   * @param bytes has the normalised key at the offset, and the rest of the image behind it; stays
   *     as it is
   * @param imageLength of both; that of the key if the row is deleted
   */
  void row(int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted);

  /** One that receives the rows of one store only. */
  default RowVisitor ofStore(int wanted) {
    return (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
      if (store == wanted) {
        row(store, bytes, offset, keyLength, imageLength, isDeleted);
      }
    };
  }
}
