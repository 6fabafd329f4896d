package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.RedoLayout;

/**
 * Frames of one file, behind its header.
 *
 * @param start position of the first frame
 */
public record FileSource(DiskFile file, String name, long start) implements FrameSource {
  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return file.read(target, RedoLayout.BLOCK + position - start);
  }

  @Override
  public String location(long position) {
    return "file=" + name + " offset=" + (RedoLayout.BLOCK + position - start);
  }
}
