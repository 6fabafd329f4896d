package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.DiskFile;

/** Frames of one file, behind its header. */
record FileSource(DiskFile file, String name) implements FrameSource {
  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return file.read(target, RedoLayout.BLOCK + position);
  }

  @Override
  public String place(long position) {
    return "file=" + name + " offset=" + (RedoLayout.BLOCK + position);
  }
}
