package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;

/** A named relation: a table, a view, a sequence or a system view. */
public sealed interface Relation permits TableEntry, ViewEntry, SequenceEntry, SystemView {
  String schemaName();

  String name();

  /** Returns the columns that are visible to users. */
  List<Column> columns();
}
