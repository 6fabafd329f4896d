package org.nelumbo.planner.catalog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.RowLayout;

/**
 * The rows of a catalog outside of a pool, from which the catalog of a pool is built. Table
 * definitions contain the roots of the original stores, which are replaced on restore. Not
 * thread-safe.
 */
public final class CatalogImage implements RowVisitor {
  /** Id of the store that contains the catalog rows. */
  public static final int STORE = CatalogStore.TABLE_ID;

  private final RowLayout layout = new RowLayout(CatalogStore.schema());

  private final Map<ByteBuffer, byte[]> rows = new LinkedHashMap<>();

  /** New rows for schemas whose own rows are lost, but whose tables or other objects remain. */
  private final List<CatalogStore.Row> lostSchemas = new ArrayList<>();

  /**
   * Reads the catalog rows of a database.
   *
   * @throws IOException if they cannot be read
   */
  public static CatalogImage of(RowSource source) throws IOException {
    CatalogImage image = new CatalogImage();
    source.forEachRow(STORE, image);
    return image;
  }

  /** Adds, replaces or removes a row; rows of other stores are ignored. */
  @Override
  public void row(
      int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted) {
    if (store == STORE && isDeleted) {
      rows.remove(ByteBuffer.wrap(bytes, offset, keyLength));
    } else if (store == STORE) {
      put(bytes, offset, keyLength, imageLength);
    }
  }

  /** Adds or replaces a row. */
  public void put(byte[] bytes, int offset, int keyLength, int imageLength) {
    rows.put(
        ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + keyLength)),
        Arrays.copyOfRange(bytes, offset, offset + imageLength));
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Returns the definitions of all tables. */
  public List<TableDefinition> tables() {
    List<TableDefinition> tables = new ArrayList<>();
    for (CatalogStore.Row row : rows()) {
      if (row.kind() == CatalogStore.TABLE) {
        tables.add(DefinitionCodec.decode(row.data()));
      }
    }
    return tables;
  }

  /**
   * Creates the catalog of a new pool.
   *
   * @param placed the tables by id, with the roots of their stores
   * @param nextId an id that no table, store or index of the image has used
   */
  public Catalog restore(Engine engine, Map<Integer, TableDefinition> placed, int nextId) {
    CatalogStore store = CatalogStore.create(engine);
    store.put(rows(placed));
    return Catalog.ofCopy(engine, store, nextId);
  }

  /** Returns the rows, with the given table definitions in place of the original ones. */
  List<CatalogStore.Row> rows(Map<Integer, TableDefinition> placed) {
    List<CatalogStore.Row> all = new ArrayList<>();
    for (CatalogStore.Row row : rows()) {
      boolean isTable = row.kind() == CatalogStore.TABLE;
      byte[] data = isTable ? DefinitionCodec.encode(placed.get(row.id())) : row.data();
      all.add(new CatalogStore.Row(row.kind(), row.id(), data));
    }
    return all;
  }

  private List<CatalogStore.Row> rows() {
    List<CatalogStore.Row> all = new ArrayList<>();
    rows.values().forEach(image -> all.add(CatalogStore.row(layout, image, 0)));
    all.addAll(lostSchemas);
    return all;
  }

  /** Returns the row contents by kind and id, with all roots of tables set to 0. */
  public Map<String, ByteBuffer> contents() {
    Map<Integer, TableDefinition> unplaced = new HashMap<>();
    for (TableDefinition table : tables()) {
      unplaced.put(
          table.id(),
          table
              .withRoots(0, 0)
              .withIndexes(table.indexes().stream().map(index -> index.withRoot(0)).toList()));
    }
    Map<String, ByteBuffer> contents = new HashMap<>();
    for (CatalogStore.Row row : rows(unplaced)) {
      contents.put("kind " + row.kind() + " id " + row.id(), ByteBuffer.wrap(row.data()));
    }
    return contents;
  }

  /** Adds the schemas that are missing although they contain objects, and returns their names. */
  public Set<String> addLostSchemas() {
    CatalogContent content = CatalogContent.of(rows());
    Set<String> lost = new TreeSet<>();
    content.tables().forEach(table -> lost.add(table.schema()));
    content.views().forEach(view -> lost.add(view.schemaName()));
    content.sequences().forEach(sequence -> lost.add(sequence.schema()));
    lost.removeAll(content.schemaIds().keySet());
    lost.remove(CatalogState.PUBLIC);
    int id = content.nextId();
    for (String name : lost) {
      byte[] data = name.getBytes(StandardCharsets.UTF_8);
      lostSchemas.add(new CatalogStore.Row(CatalogStore.SCHEMA, id++, data));
    }
    return lost;
  }

  /** Returns an id that is not used in the image. */
  public int nextId() {
    return CatalogContent.of(rows()).nextId();
  }
}
