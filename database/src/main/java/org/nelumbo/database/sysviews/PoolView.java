package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.bool;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.raw;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.Collections;
import java.util.List;
import org.nelumbo.database.AttachReport;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.planner.catalog.Catalog;

/**
 * SYS.POOL: the pool of the database, and the report of its attach; SYS.DAMAGED_TABLES: the tables
 * that were found damaged then.
 */
final class PoolView {
  private final AttachReport attach;

  PoolView(AttachReport attach) {
    this.attach = attach;
  }

  void addTo(Catalog catalog) {
    add(
        catalog,
        "POOL",
        this::rows,
        optionalText("POOL_ID"),
        optionalText("POOL_NAME"),
        optionalNumber("EPOCH"),
        bool("IS_NEW"),
        bool("WAS_LEFT_IN_ORDER"),
        optionalNumber("ATTACH_MILLIS"),
        optionalNumber("RECOVERY_MILLIS"),
        optionalNumber("RECOVERED_TABLES"),
        optionalNumber("RECOVERED_ROWS"),
        optionalNumber("COMPLETED_TRANSACTIONS"),
        optionalNumber("UNDONE_CELLS"),
        optionalNumber("REMOVED_ENTRIES"),
        optionalNumber("REBUILT_INDEXES"));
    add(
        catalog,
        "DAMAGED_TABLES",
        () -> damagedTables(catalog),
        text("SCHEMA_NAME"),
        text("TABLE_NAME"),
        text("DAMAGE"));
  }

  private static List<Object[]> damagedTables(Catalog catalog) {
    return catalog.state().tables().stream()
        .filter(table -> table.damage() != null)
        .map(table -> new Object[] {table.schemaName(), table.name(), table.damage()})
        .toList();
  }

  private List<Object[]> rows() {
    RecoveryReport recovery = attach.recovery();
    boolean isLasting = attach.poolId() != 0;
    boolean isScanned = recovery != null && !recovery.inOrder();
    return Collections.singletonList(
        new Object[] {
          isLasting ? attach.poolIdText() : null,
          attach.poolName().isEmpty() ? null : attach.poolName(),
          isLasting ? attach.epoch() : null,
          raw(attach.isNew()),
          raw(attach.wasLeft()),
          isLasting ? attach.nanos() / 1_000_000 : null,
          recovery == null ? null : recovery.nanos() / 1_000_000,
          recovery == null ? null : (long) recovery.tables(),
          isScanned ? recovery.rows() : null,
          isScanned ? (long) recovery.committed() : null,
          isScanned ? recovery.undoneCells() : null,
          isScanned ? recovery.removedEntries() : null,
          isScanned ? (long) recovery.rebuiltIndexes() : null
        });
  }
}
