package org.nelumbo.planner.catalog;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.types.Kind;

/** Encodes and decodes views and sequences as they are stored in the catalog table. */
final class ObjectCodec {
  /** The first byte; format 1 has no comments, formats 1 and 2 have no owners of sequences. */
  private static final int FORMAT = 3;

  private ObjectCodec() {}

  @FunctionalInterface
  private interface Parts {
    void write(DataOutputStream out) throws IOException;
  }

  @FunctionalInterface
  private interface Reader<T> {
    T read(DataInputStream in, int format) throws IOException;
  }

  private static byte[] encode(Parts parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      parts.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T decode(byte[] bytes, Reader<T> reader) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readByte();
      if (format < 1 || format > FORMAT) {
        throw new IOException("unknown format " + format);
      }
      return reader.read(in, format);
    } catch (IOException | RuntimeException e) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED,
          "the definition of a view or sequence in the catalog of the pool is damaged, or"
              + " of another version of Nelumbo: "
              + e,
          e);
    }
  }

  static byte[] encode(ViewEntry view) {
    return encode(
        out -> {
          out.writeInt(view.id());
          out.writeUTF(view.schemaName());
          out.writeUTF(view.name());
          out.writeInt(view.columns().size());
          for (Column column : view.columns()) {
            DefinitionCodec.writeColumn(out, column);
          }
          DefinitionCodec.writeText(out, view.text());
          out.writeUTF(view.path());
          DefinitionCodec.writeInts(
              out, view.uses().stream().mapToInt(Integer::intValue).toArray());
          DefinitionCodec.writeComments(out, view.comments());
        });
  }

  static ViewEntry decodeView(byte[] bytes) {
    return decode(
        bytes,
        (in, format) -> {
          int id = in.readInt();
          String schema = in.readUTF();
          String name = in.readUTF();
          List<Column> columns = new ArrayList<>();
          for (int count = DefinitionCodec.readCount(in, 1); count > 0; count--) {
            columns.add(DefinitionCodec.readColumn(in));
          }
          String text = DefinitionCodec.readText(in);
          String path = in.readUTF();
          List<Integer> uses = new ArrayList<>();
          for (int use : DefinitionCodec.readInts(in)) {
            uses.add(use);
          }
          Comments comments = format < 2 ? Comments.NONE : DefinitionCodec.readComments(in);
          return new ViewEntry(id, schema, name, columns, text, path, uses, comments);
        });
  }

  static byte[] encode(SequenceDefinition sequence) {
    return encode(
        out -> {
          out.writeInt(sequence.id());
          out.writeUTF(sequence.schema());
          out.writeUTF(sequence.name());
          out.writeUTF(sequence.kind().name());
          out.writeLong(sequence.start());
          out.writeLong(sequence.increment());
          out.writeLong(sequence.least());
          out.writeLong(sequence.greatest());
          out.writeBoolean(sequence.cycle());
          DefinitionCodec.writeText(out, sequence.comment());
          out.writeInt(sequence.ownerTable());
          DefinitionCodec.writeText(out, sequence.ownerColumn());
        });
  }

  static SequenceDefinition decodeSequence(byte[] bytes) {
    return decode(
        bytes,
        (in, format) ->
            new SequenceDefinition(
                in.readInt(),
                in.readUTF(),
                in.readUTF(),
                Kind.valueOf(in.readUTF()),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readBoolean(),
                format < 2 ? null : DefinitionCodec.readText(in),
                format < 3 ? 0 : in.readInt(),
                format < 3 ? null : DefinitionCodec.readText(in)));
  }
}
