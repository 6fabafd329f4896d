package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;

/** A named relation: a table or a system view. */
public sealed interface Relation permits TableEntry, SystemView {
  String schemaName();

  String name();

  /** The columns users see. */
  List<Column> columns();
}
