package org.nelumbo.soak.rounds;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** A page of a memory node's file that is lost while the node is down. */
final class LostPage {
  private static final int BYTES = 4096;

  private static final int LOOKS_MAX = 100_000;

  private LostPage() {}

  /**
   * Overwrites a used page with zeros, or with the content of another page. It spares the first
   * page, by which a killed node identifies its file.
   */
  static void draw(Random random, Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer content = ByteBuffer.allocate(BYTES);
      if (random.nextBoolean()) {
        read(channel, used(random, channel), content);
      }
      channel.write(content.clear(), used(random, channel));
    }
  }

  private static long used(Random random, FileChannel channel) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(BYTES);
    ByteBuffer zeros = ByteBuffer.allocate(BYTES);
    int pages = (int) (channel.size() / BYTES);
    long offset = 0;
    for (int i = 0; i < LOOKS_MAX; i++) {
      offset = (1L + random.nextInt(pages - 1)) * BYTES;
      read(channel, offset, found.clear());
      if (!found.clear().equals(zeros)) {
        break;
      }
    }
    return offset;
  }

  private static void read(FileChannel channel, long offset, ByteBuffer page) throws IOException {
    while (page.hasRemaining() && channel.read(page, offset + page.position()) > 0) {}
  }
}
