package org.nelumbo.simulation.cluster;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Table T of the workloads: its schema for the engine, and its definition in SQL. */
final class RowTable {
  static final int ID = 0;
  static final int VAL = 1;
  static final int GRP = 2;
  static final int TXT = 3;
  private static final int TABLE_ID = 7;

  private RowTable() {}

  static TableStore create(Engine engine, ClusterOptions options) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      TableStore table = engine.tables().create(coordinator, schema(options));
      if (options.indexed()) {
        IndexStore index = engine.tables().createIndex(coordinator, table, groupIndex(options));
        table.addIndex(index);
      }
      return table;
    }
  }

  /** Opens the table that another engine has created in the pool. */
  static TableStore open(Engine engine, TableStore made, ClusterOptions options) {
    long primary = made.primary() == null ? PoolAddress.NULL : made.primary().root();
    return engine
        .tables()
        .open(
            schema(options),
            new TableStore.TableRoots(made.hashRoot(), primary),
            options.indexed() ? List.of(groupIndex(options)) : List.of(),
            options.indexed() ? List.of(made.indexes()[0].root()) : List.of());
  }

  private static IndexSchema groupIndex(ClusterOptions options) {
    return IndexSchema.ascending(TABLE_ID + 1, "T_GRP", options.uniqueGroup(), GRP);
  }

  static TableSchema schema(ClusterOptions options) {
    return new TableSchema(
        TABLE_ID,
        "T",
        List.of(
            new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("VAL", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("GRP", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column(
                "TXT", ColumnType.of(Kind.VARCHAR, options.textLength()).withNullable(false))),
        new int[] {ID},
        ID,
        options.versions(),
        options.ordered(),
        options.hashed(),
        List.of());
  }

  static List<String> definition(ClusterOptions options) {
    String table =
        "CREATE TABLE T (ID "
            + options.schema().key().definition
            + ", VAL BIGINT NOT NULL, GRP BIGINT NOT NULL, TXT VARCHAR("
            + options.textLength()
            + ") NOT NULL, MORE BIGINT DEFAULT 0) WITH (versions = "
            + options.versions()
            + ", ordered = "
            + options.ordered()
            + ", hash = "
            + options.hashed()
            + ")";
    List<String> all = new ArrayList<>();
    all.add(table);
    if (options.indexed()) {
      all.add("CREATE " + (options.uniqueGroup() ? "UNIQUE " : "") + "INDEX T_GRP ON T (GRP)");
    }
    if (options.schema().child()) {
      all.add("CREATE TABLE C (PARENT BIGINT NOT NULL REFERENCES T (ID), VAL BIGINT NOT NULL)");
      all.add("CREATE INDEX C_PARENT ON C (PARENT)");
    }
    return all;
  }
}
