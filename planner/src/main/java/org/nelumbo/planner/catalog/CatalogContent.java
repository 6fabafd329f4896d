package org.nelumbo.planner.catalog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * The decoded rows of the catalog table of a pool.
 *
 * @param schemaIds ids of schemas by name
 * @param schemaComments comments by schema id
 * @param sequenceRows number states by the sequence id of a column, or by the id of a sequence
 * @param nextId an id greater than all ids in use
 */
record CatalogContent(
    Map<String, Integer> schemaIds,
    Map<Integer, String> schemaComments,
    List<TableDefinition> tables,
    List<ViewEntry> views,
    List<SequenceDefinition> sequences,
    Map<Integer, SequenceRow> sequenceRows,
    int nextId) {

  /** Decodes the rows of the catalog table. */
  static CatalogContent of(List<CatalogStore.Row> rows) {
    Map<String, Integer> schemaIds = new HashMap<>();
    Map<Integer, String> schemaComments = new HashMap<>();
    List<TableDefinition> tables = new ArrayList<>();
    List<ViewEntry> views = new ArrayList<>();
    List<SequenceDefinition> sequences = new ArrayList<>();
    Map<Integer, SequenceRow> sequenceRows = new HashMap<>();
    int nextId = CatalogStore.FIRST_ID;
    for (CatalogStore.Row row : rows) {
      nextId = Math.max(nextId, row.id() + 1);
      byte[] data = row.data();
      switch (row.kind()) {
        case CatalogStore.SCHEMA ->
            schemaIds.put(new String(data, StandardCharsets.UTF_8), row.id());
        case CatalogStore.TABLE -> tables.add(DefinitionCodec.decode(data));
        case CatalogStore.VIEW -> views.add(ObjectCodec.decodeView(data));
        case CatalogStore.SEQUENCE_DEFINITION -> sequences.add(ObjectCodec.decodeSequence(data));
        case CatalogStore.SCHEMA_COMMENT ->
            schemaComments.put(row.id(), new String(data, StandardCharsets.UTF_8));
        case CatalogStore.SEQUENCE -> sequenceRows.put(row.id(), SequenceRow.decode(data));
        default ->
            throw new NelumboException(
                ErrorCode.DATA_CORRUPTED,
                "the catalog of the pool has entries that this version of Nelumbo does not"
                    + " support, kind="
                    + row.kind());
      }
    }
    for (TableDefinition table : tables) {
      nextId = Math.max(nextId, table.storeId() + 1);
      for (IndexDefinition index : table.indexes()) {
        nextId = Math.max(nextId, index.schema().id() + 1);
      }
      for (IdentityDefinition identity : table.identities()) {
        nextId = Math.max(nextId, identity.id() + 1);
      }
    }
    return new CatalogContent(
        schemaIds, schemaComments, tables, views, sequences, sequenceRows, nextId);
  }

  /** Returns the stored number state of a column or sequence. */
  SequenceRow sequenceRow(int id, long start) {
    SequenceRow row = sequenceRows.get(id);
    return row == null ? SequenceRow.first(start) : row;
  }

  /** Returns how often the ranges of a column or sequence have been invalidated. */
  long restarts(int id) {
    return sequenceRow(id, 0).restarts();
  }

  /** Returns the comment of a schema, or null if it has none. */
  String comment(String schema) {
    return schemaComments.get(schemaIds.get(schema));
  }
}
