package org.nelumbo.simulation.scale;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * The tables of a mix, as opened by one engine: HOME and ID are the key, VAL and TXT the other
 * columns.
 */
final class MixTables {
  static final int HOME = 0;
  static final int ID = 1;
  static final int VAL = 2;
  static final int TXT = 3;

  /** First table id, above those of all other tables of a world. */
  private static final int FIRST_ID = 100;

  private static final int VERSIONS = 2;

  private final List<TableStore> stores;
  private final List<String> texts;

  private MixTables(List<TableStore> stores, List<String> texts) {
    this.stores = stores;
    this.texts = texts;
  }

  static MixTables create(Engine engine, Mix mix) {
    List<TableStore> stores = new ArrayList<>();
    try (Coordinator coordinator = engine.openCoordinator()) {
      for (int i = 0; i < mix.tables().size(); i++) {
        stores.add(engine.tables().create(coordinator, schema(mix, i)));
      }
    }
    return new MixTables(stores, texts(mix));
  }

  /** Opens the tables of this engine on another engine. */
  MixTables open(Engine engine, Mix mix) {
    List<TableStore> opened = new ArrayList<>();
    for (int i = 0; i < stores.size(); i++) {
      TableStore made = stores.get(i);
      TableStore.TableRoots roots =
          new TableStore.TableRoots(made.hashRoot(), made.primary().root());
      opened.add(engine.tables().open(schema(mix, i), roots, List.of(), List.of()));
    }
    return new MixTables(opened, texts);
  }

  private static List<String> texts(Mix mix) {
    return mix.tables().stream().map(each -> "x".repeat(each.textLength())).toList();
  }

  private static TableSchema schema(Mix mix, int table) {
    Mix.Table described = mix.tables().get(table);
    return new TableSchema(
        FIRST_ID + table,
        described.name(),
        List.of(
            new Column("HOME", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("VAL", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column(
                "TXT",
                ColumnType.of(Kind.VARCHAR, Math.max(1, described.textLength()))
                    .withNullable(false))),
        new int[] {HOME, ID},
        HOME,
        VERSIONS,
        true,
        described.hashed(),
        List.of());
  }

  TableStore store(int table) {
    return stores.get(table);
  }

  List<TableStore> stores() {
    return stores;
  }

  String text(int table) {
    return texts.get(table);
  }
}
