package org.nelumbo.planner.catalog;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.parser.ast.ReferentialAction;
import org.nelumbo.planner.catalog.TableDefinition.CheckDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.GeneratedDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexPurpose;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Encodes and decodes table definitions as they are stored in the catalog table.
 *
 * <p>The first byte is the version of the format:
 *
 * <ol>
 *   <li>has no store id (it equals the table id),
 *   <li>adds the store id,
 *   <li>adds the actions of foreign keys,
 *   <li>adds generated columns and comments,
 *   <li>adds expression indexes and partial indexes,
 *   <li>allows several identity columns per table. Before, there was at most one, which shared its
 *       numbers with a hidden key,
 *   <li>adds whether the table has a hash index. Before, every table had one.
 * </ol>
 */
final class DefinitionCodec {
  private static final int FORMAT = 7;

  private DefinitionCodec() {}

  static byte[] encode(TableDefinition table) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeInt(table.id());
      out.writeInt(table.storeId());
      out.writeUTF(table.schema());
      out.writeUTF(table.name());
      out.writeInt(table.columns().size());
      for (Column column : table.columns()) {
        writeColumn(out, column);
      }
      writeInts(out, table.primaryKey());
      writeText(out, table.primaryKeyName());
      out.writeInt(table.critical());
      out.writeInt(table.versions());
      out.writeBoolean(table.ordered());
      out.writeBoolean(table.hashed());
      writeIdentities(out, table.identities());
      writeConstraints(out, table);
      writeGenerated(out, table.generated());
      writeComments(out, table.comments());
      writeKeys(out, table.indexes());
      out.writeLong(table.hashRoot());
      out.writeLong(table.primaryRoot());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a table definition.
   *
   * @throws NelumboException DATA_CORRUPTED if the bytes are not a definition
   */
  static TableDefinition decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int format = in.readByte();
      if (format < 1 || format > FORMAT) {
        throw new IOException("unknown format " + format);
      }
      TableDefinition definition = readDefinition(in, format);
      check(definition);
      definition.toSchema(); // validates keys and indexes
      return definition;
    } catch (IOException | RuntimeException e) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED,
          "a table definition in the catalog of the pool is damaged, or of another version"
              + " of Nelumbo: "
              + e,
          e);
    }
  }

  private static void check(TableDefinition table) throws IOException {
    int count = table.columns().size();
    boolean good = isIn(count, table.primaryKey()) && isIn(count, table.critical());
    for (IndexDefinition index : table.indexes()) {
      good &= isIn(count, index.schema().columns());
    }
    for (ForeignKeyDefinition key : table.foreignKeys()) {
      good &= isIn(count, key.columns());
      good &= key.referencedColumns().length == key.columns().length;
    }
    for (GeneratedDefinition generated : table.generated()) {
      good &= isIn(count, generated.column());
    }
    for (IdentityDefinition identity : table.identities()) {
      good &= isIn(count, identity.column());
    }
    if (!good) {
      throw new IOException("an ordinal without a column");
    }
  }

  private static boolean isIn(int count, int... ordinals) {
    return Arrays.stream(ordinals).allMatch(ordinal -> ordinal >= 0 && ordinal < count);
  }

  /**
   * Reads a count of parts and checks that the remaining bytes can hold them.
   *
   * @param bytesEach the least size of a part
   */
  static int readCount(DataInputStream in, int bytesEach) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available() / bytesEach) {
      throw new IOException("no count: " + count);
    }
    return count;
  }

  private static TableDefinition readDefinition(DataInputStream in, int format) throws IOException {
    int id = in.readInt();
    int storeId = format == 1 ? id : in.readInt();
    TableDefinition.Builder table =
        TableDefinition.builder(id, in.readUTF(), in.readUTF()).storeId(storeId);
    List<Column> columns = new ArrayList<>();
    for (int count = readCount(in, 1); count > 0; count--) {
      columns.add(readColumn(in));
    }
    table
        .columns(columns)
        .primaryKey(readInts(in), readText(in))
        .critical(in.readInt())
        .versions(in.readInt())
        .ordered(in.readBoolean())
        .hashed(format < 7 || in.readBoolean())
        .identities(format < 6 ? readOldIdentity(in, id) : readIdentities(in));
    List<IndexDefinition> indexes = readIndexes(in);
    table
        .checks(readChecks(in))
        .foreignKeys(readForeignKeys(in, format))
        .generated(format < 4 ? List.of() : readGenerated(in))
        .comments(format < 4 ? Comments.NONE : readComments(in))
        .indexes(format < 5 ? indexes : readKeys(in, indexes))
        .roots(in.readLong(), in.readLong());
    return table.build();
  }

  static void writeColumn(DataOutputStream out, Column column) throws IOException {
    out.writeUTF(column.name());
    out.writeUTF(column.type().kind().name());
    out.writeInt(column.type().precision());
    out.writeInt(column.type().scale());
    out.writeBoolean(column.type().nullable());
    writeText(out, column.defaultText());
    out.writeBoolean(column.identity());
    out.writeBoolean(column.hidden());
  }

  static Column readColumn(DataInputStream in) throws IOException {
    String name = in.readUTF();
    Kind kind = Kind.valueOf(in.readUTF());
    ColumnType type = new ColumnType(kind, in.readInt(), in.readInt(), in.readBoolean());
    return new Column(name, type, readText(in), in.readBoolean(), in.readBoolean());
  }

  private static void writeConstraints(DataOutputStream out, TableDefinition table)
      throws IOException {
    out.writeInt(table.indexes().size());
    for (IndexDefinition index : table.indexes()) {
      IndexSchema schema = index.schema();
      out.writeInt(schema.id());
      out.writeUTF(schema.name());
      out.writeBoolean(schema.unique());
      writeInts(out, schema.columns());
      for (boolean descending : schema.descending()) {
        out.writeBoolean(descending);
      }
      out.writeByte(index.purpose().ordinal());
      out.writeLong(index.root());
    }
    out.writeInt(table.checks().size());
    for (CheckDefinition check : table.checks()) {
      out.writeUTF(check.name());
      writeText(out, check.text());
    }
    out.writeInt(table.foreignKeys().size());
    for (ForeignKeyDefinition key : table.foreignKeys()) {
      out.writeUTF(key.name());
      writeInts(out, key.columns());
      out.writeInt(key.referencedTable());
      writeInts(out, key.referencedColumns());
      out.writeUTF(key.onDelete().name());
      out.writeUTF(key.onUpdate().name());
    }
  }

  private static List<IndexDefinition> readIndexes(DataInputStream in) throws IOException {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int count = readCount(in, 1); count > 0; count--) {
      int id = in.readInt();
      String name = in.readUTF();
      boolean unique = in.readBoolean();
      int[] columns = readInts(in);
      boolean[] descending = new boolean[columns.length];
      for (int i = 0; i < columns.length; i++) {
        descending[i] = in.readBoolean();
      }
      IndexPurpose purpose = readPurpose(in);
      boolean shortens = purpose == IndexPurpose.FOREIGN_KEY;
      if (unique && shortens) {
        throw new IOException("the index of a foreign key is unique");
      }
      IndexSchema schema = new IndexSchema(id, name, unique, columns, descending, shortens);
      indexes.add(new IndexDefinition(schema, purpose, in.readLong()));
    }
    return indexes;
  }

  private static IndexPurpose readPurpose(DataInputStream in) throws IOException {
    int ordinal = in.readUnsignedByte();
    if (ordinal >= IndexPurpose.values().length) {
      throw new IOException("index for an unknown purpose: " + ordinal);
    }
    return IndexPurpose.values()[ordinal];
  }

  private static void writeKeys(DataOutputStream out, List<IndexDefinition> indexes)
      throws IOException {
    out.writeInt((int) indexes.stream().filter(index -> !index.keys().isEmpty()).count());
    for (int i = 0; i < indexes.size(); i++) {
      List<String> keys = indexes.get(i).keys();
      if (!keys.isEmpty()) {
        out.writeInt(i);
        writeText(out, indexes.get(i).condition());
        out.writeInt(keys.size());
        for (String key : keys) {
          writeText(out, key);
        }
      }
    }
  }

  private static List<IndexDefinition> readKeys(DataInputStream in, List<IndexDefinition> indexes)
      throws IOException {
    List<IndexDefinition> all = new ArrayList<>(indexes);
    for (int count = readCount(in, Integer.BYTES); count > 0; count--) {
      int i = in.readInt();
      if (i < 0 || i >= all.size()) {
        throw new IOException("keys without an index: " + i);
      }
      IndexDefinition index = all.get(i);
      String condition = readText(in);
      List<String> keys = readTexts(in);
      if (keys.size() != index.schema().columns().length) {
        throw new IOException("as many keys as columns, not " + keys.size());
      }
      all.set(
          i, new IndexDefinition(index.schema(), index.purpose(), index.root(), condition, keys));
    }
    return all;
  }

  private static List<String> readTexts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int count = readCount(in, 1); count > 0; count--) {
      texts.add(readText(in));
    }
    return texts;
  }

  private static List<CheckDefinition> readChecks(DataInputStream in) throws IOException {
    List<CheckDefinition> checks = new ArrayList<>();
    for (int count = readCount(in, 1); count > 0; count--) {
      checks.add(new CheckDefinition(in.readUTF(), readText(in)));
    }
    return checks;
  }

  private static List<ForeignKeyDefinition> readForeignKeys(DataInputStream in, int format)
      throws IOException {
    List<ForeignKeyDefinition> keys = new ArrayList<>();
    for (int count = readCount(in, 1); count > 0; count--) {
      keys.add(
          new ForeignKeyDefinition(
              in.readUTF(),
              readInts(in),
              in.readInt(),
              readInts(in),
              readAction(in, format),
              readAction(in, format)));
    }
    return keys;
  }

  private static ReferentialAction readAction(DataInputStream in, int format) throws IOException {
    return format < 3 ? ReferentialAction.NO_ACTION : ReferentialAction.valueOf(in.readUTF());
  }

  private static void writeGenerated(DataOutputStream out, List<GeneratedDefinition> generated)
      throws IOException {
    out.writeInt(generated.size());
    for (GeneratedDefinition each : generated) {
      out.writeInt(each.column());
      writeText(out, each.text());
    }
  }

  private static List<GeneratedDefinition> readGenerated(DataInputStream in) throws IOException {
    List<GeneratedDefinition> generated = new ArrayList<>();
    for (int count = readCount(in, Integer.BYTES); count > 0; count--) {
      generated.add(new GeneratedDefinition(in.readInt(), readText(in)));
    }
    return generated;
  }

  static void writeComments(DataOutputStream out, Comments comments) throws IOException {
    out.writeInt(comments.texts().size());
    for (Map.Entry<String, String> each : comments.texts().entrySet()) {
      out.writeUTF(each.getKey());
      writeText(out, each.getValue());
    }
  }

  static Comments readComments(DataInputStream in) throws IOException {
    Map<String, String> texts = new HashMap<>();
    for (int count = readCount(in, 2); count > 0; count--) {
      texts.put(in.readUTF(), readText(in));
    }
    return new Comments(texts);
  }

  private static void writeIdentities(DataOutputStream out, List<IdentityDefinition> identities)
      throws IOException {
    out.writeInt(identities.size());
    for (IdentityDefinition identity : identities) {
      out.writeInt(identity.id());
      out.writeInt(identity.column());
      out.writeBoolean(identity.always());
      out.writeLong(identity.start());
      out.writeLong(identity.increment());
    }
  }

  private static List<IdentityDefinition> readOldIdentity(DataInputStream in, int table)
      throws IOException {
    return in.readBoolean() ? List.of(readIdentity(in, table)) : List.of();
  }

  private static List<IdentityDefinition> readIdentities(DataInputStream in) throws IOException {
    List<IdentityDefinition> identities = new ArrayList<>();
    for (int count = readCount(in, Integer.BYTES); count > 0; count--) {
      identities.add(readIdentity(in, in.readInt()));
    }
    return identities;
  }

  private static IdentityDefinition readIdentity(DataInputStream in, int id) throws IOException {
    return new IdentityDefinition(id, in.readInt(), in.readBoolean(), in.readLong(), in.readLong());
  }

  static void writeInts(DataOutputStream out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  static int[] readInts(DataInputStream in) throws IOException {
    int[] values = new int[readCount(in, Integer.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return values;
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    out.writeBoolean(text != null);
    if (text != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  static String readText(DataInputStream in) throws IOException {
    return in.readBoolean()
        ? new String(in.readNBytes(readCount(in, 1)), StandardCharsets.UTF_8)
        : null;
  }
}
