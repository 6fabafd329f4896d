package org.nelumbo.planner.sysviews;

import static org.nelumbo.planner.sysviews.ViewColumns.add;
import static org.nelumbo.planner.sysviews.ViewColumns.optionalText;
import static org.nelumbo.planner.sysviews.ViewColumns.text;

import java.util.List;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.check.Findings;

/** SYS.FINDINGS: what the last CHECK of this compute node has found, or RESTORE ... SALVAGE. */
public final class FindingsView {
  private FindingsView() {}

  /** Puts the view into the catalogue of a database. */
  public static void addTo(Catalog catalog, Findings findings) {
    add(
        catalog,
        "FINDINGS",
        () -> rows(findings),
        optionalText("SCHEMA_NAME"),
        optionalText("TABLE_NAME"),
        optionalText("OBJECT_NAME"),
        optionalText("ROW_KEY"),
        text("PROBLEM"));
  }

  private static List<Object[]> rows(Findings findings) {
    return findings.list().stream()
        .map(
            each ->
                new Object[] {
                  each.schema(), each.table(), each.object(), each.key(), each.problem()
                })
        .toList();
  }
}
