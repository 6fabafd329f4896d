package org.nelumbo.dm.disk;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.pool.PoolOpenException;

/** Tests that only one process at a time can open a directory. */
class DirectoryDiskTest {
  @TempDir private Path place;

  @Test
  void shouldBelongToOneEvenIfTheFileThatNamesHimIsRemoved() throws IOException {
    Path directory = place.resolve("db");
    try (DirectoryDisk disk = DirectoryDisk.open(directory, "the first")) {
      assertTrue(disk.list().isEmpty());
      Files.delete(directory.resolve(DirectoryDisk.LOCK));
      try (SystemFile other = SystemFile.openDirectory(directory)) {
        assertFalse(other.tryLockDirectory());
      }
      Path link = Files.createSymbolicLink(place.resolve("link"), directory);
      String message =
          assertThrows(PoolOpenException.class, () -> DirectoryDisk.open(link, "the second"))
              .getMessage();
      assertTrue(message.contains("in this process already"), message);
    }
    try (SystemFile other = SystemFile.openDirectory(directory)) {
      assertTrue(other.tryLockDirectory());
      String message =
          assertThrows(PoolOpenException.class, () -> DirectoryDisk.open(directory, "the third"))
              .getMessage();
      assertTrue(message.contains("in use by another process"), message);
    }
    DirectoryDisk.open(directory, "the fourth").close();
  }
}
