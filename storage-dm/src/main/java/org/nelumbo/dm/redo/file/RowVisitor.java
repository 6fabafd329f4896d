package org.nelumbo.dm.redo.file;

/** Consumer of the rows of a checkpoint or of the log. */
@FunctionalInterface
public interface RowVisitor {
  /**
   * Receives the state of a row from some commit on.
   *
   * @param bytes array with the normalized key at the offset, followed by the rest of the image;
   *     not modified later
   * @param imageLength length of both; length of the key if the row is deleted
   */
  void row(int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted);

  /** Returns a visitor that passes on only the rows of one store. */
  default RowVisitor ofStore(int wanted) {
    return (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
      if (store == wanted) {
        row(store, bytes, offset, keyLength, imageLength, isDeleted);
      }
    };
  }
}
