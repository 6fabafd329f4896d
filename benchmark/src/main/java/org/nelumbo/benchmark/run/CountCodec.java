package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.nelumbo.benchmark.database.ErrorKind;
import org.nelumbo.benchmark.database.Failure;

/** Writes histograms and counts of aborts for another process of the same program. */
final class CountCodec {
  private CountCodec() {}

  static void writeHistogram(DataOutputStream out, Histogram histogram) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoByteBuffer(bytes);
    byte[] written = new byte[length];
    bytes.flip().get(written);
    out.writeInt(length);
    out.write(written);
  }

  /** Adds the histogram that {@link #writeHistogram} has written to another histogram. */
  static void addHistogram(DataInputStream in, Histogram to) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(in.readInt()));
    to.add(Histogram.decodeFromByteBuffer(bytes, 0));
  }

  static void writeAborts(DataOutputStream out, Map<Abort, Long> aborts) throws IOException {
    out.writeInt(aborts.size());
    for (Map.Entry<Abort, Long> each : aborts.entrySet()) {
      Failure cause = each.getKey().cause();
      out.writeUTF(cause.kind().name());
      out.writeUTF(cause.name());
      out.writeUTF(cause.sqlState());
      out.writeInt(cause.vendorCode());
      out.writeUTF(each.getKey().treatment().name());
      out.writeLong(each.getValue());
    }
  }

  static void readAborts(DataInputStream in, Map<Abort, Long> into) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      ErrorKind kind = ErrorKind.valueOf(in.readUTF());
      Failure cause = new Failure(kind, in.readUTF(), in.readUTF(), in.readInt());
      Abort.Treatment treatment = Abort.Treatment.valueOf(in.readUTF());
      into.put(new Abort(cause, treatment), in.readLong());
    }
  }
}
