package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The current definition of a generated table. Its key, if any, is {@code id}. */
final class Table {
  final String name;
  final boolean keyed;
  final List<Column> columns = new ArrayList<>();
  final List<String> indexes = new ArrayList<>();

  /** Constraints by name, and their columns. */
  final Map<String, String> constraints = new TreeMap<>();

  /** Columns of foreign keys, and the referenced tables. */
  final Map<String, Table> references = new HashMap<>();

  /** ON DELETE clauses of foreign keys, by column. */
  final Map<String, String> onDelete = new HashMap<>();

  /** Columns that generated columns are computed from. */
  final Set<String> bases = new HashSet<>();

  /** Columns of unique indexes and constraints. */
  final Set<String> unique = new HashSet<>();

  /** Some of the ids of its rows. */
  final List<Integer> ids = new ArrayList<>();

  private int number;

  Table(String name, boolean keyed) {
    this.name = name;
    this.keyed = keyed;
  }

  /** Returns a new name, which no object of this table had before. */
  String newName(String prefix) {
    number++;
    return prefix + number;
  }

  List<Column> columns(DataType type) {
    return columns.stream().filter(column -> column.type() == type).toList();
  }

  /** Returns true if a column is part of no constraint, so that it can be dropped. */
  boolean isFree(Column column) {
    return !constraints.containsValue(column.name()) && !unique.contains(column.name());
  }
}
