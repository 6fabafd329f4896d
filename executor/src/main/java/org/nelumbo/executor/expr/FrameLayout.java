package org.nelumbo.executor.expr;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.types.ColumnType;

/**
 * The layout of a plan's frames: the number of parameters, rows and slots. Filled by the planner
 * while it builds a plan, and read-only afterwards.
 *
 * <p>A <em>row</em> holds the current row image of an access operator (one for each table access in
 * the plan). A <em>slot</em> holds one computed value (aggregates, and projections that must not be
 * computed again).
 */
public final class FrameLayout {
  private final List<ColumnType> parameters = new ArrayList<>();
  private final List<Conversion> conversions = new ArrayList<>();
  private final List<ColumnType> slots = new ArrayList<>();
  private int rows;

  /** Adds a parameter and returns its index, counted from 0. */
  public int addParameter(ColumnType type) {
    parameters.add(type);
    return parameters.size() - 1;
  }

  /** A parameter whose value is the literal at {@code source}, converted to another type. */
  record Conversion(int source, ColumnType target, TextOverflow overflow) {}

  /**
   * Adds the conversion of a literal to another type, and returns the parameter that holds the
   * result.
   */
  int addConversion(int source, ColumnType target, TextOverflow overflow) {
    Conversion conversion = new Conversion(source, target, overflow);
    int known = conversions.indexOf(conversion);
    if (known >= 0) {
      return parameters.size() - conversions.size() + known;
    }
    conversions.add(conversion);
    return addParameter(target);
  }

  /** Returns the conversions of literals; their results are the last parameters. */
  List<Conversion> conversions() {
    return conversions;
  }

  /** Adds a row and returns its index. */
  public int addRow() {
    return rows++;
  }

  /** Adds a slot and returns its index. */
  public int addSlot(ColumnType type) {
    slots.add(type);
    return slots.size() - 1;
  }

  int parameterCount() {
    return parameters.size();
  }

  public ColumnType parameterType(int parameter) {
    return parameters.get(parameter);
  }

  public List<ColumnType> parameterTypes() {
    return List.copyOf(parameters);
  }

  int rowCount() {
    return rows;
  }

  int slotCount() {
    return slots.size();
  }

  public ColumnType slotType(int slot) {
    return slots.get(slot);
  }
}
