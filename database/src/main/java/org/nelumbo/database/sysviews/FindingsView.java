package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.bool;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.raw;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.Collections;
import java.util.List;
import org.nelumbo.database.check.Findings;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.planner.catalog.Catalog;

/**
 * SYS.FINDINGS: the defect reports of the latest CHECK or RESTORE ... SALVAGE of this compute node;
 * SYS.SCRUB: the progress of comparing the copies.
 */
public final class FindingsView {
  private FindingsView() {}

  /** Adds the views to the catalog of a database. */
  public static void addTo(Catalog catalog, Engine engine, Findings findings) {
    add(
        catalog,
        "SCRUB",
        () -> scrub(engine),
        bool("RUNNING"),
        number("ROUNDS"),
        number("COMPARED_BYTES"),
        number("WANTED_BYTES"),
        number("MENDED_WORDS"),
        number("DIFFERING_WORDS"));
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

  private static List<Object[]> scrub(Engine engine) {
    CopiesCheck copies = engine.fabric().copiesCheck();
    if (copies == null) {
      return List.of();
    }
    CopiesCheck.Status status = copies.status();
    return Collections.singletonList(
        new Object[] {
          raw(status.isRunning()),
          status.rounds(),
          status.comparedBytes(),
          status.wantedBytes(),
          status.mendedWords(),
          status.differingWords()
        });
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
