package org.nelumbo.executor.expr;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.types.ColumnType;

/**
 * The layout of a plan's frames: how many parameters, rows and slots they have. Filled in by the
 * planner while it builds a plan, then only read.
 *
 * <p>A <em>row</em> is a place for the row image an access operator stands on (one per table access
 * in the plan); a <em>slot</em> is a place for one computed value (aggregates, projections that
 * must not be computed again).
 */
public final class FrameLayout {
  private final List<ColumnType> parameters = new ArrayList<>();
  private final List<Conversion> conversions = new ArrayList<>();
  private final List<ColumnType> slots = new ArrayList<>();
  private int rows;

  /** Adds a parameter; they count from 0. */
  public int addParameter(ColumnType type) {
    parameters.add(type);
    return parameters.size() - 1;
  }

  /** A parameter that is a literal, the one at {@code source}, in another type. */
  record Conversion(int source, ColumnType target, TextOverflow overflow) {}

  /** Adds a literal in another type; the parameter that is it. */
  int addConversion(int source, ColumnType target, TextOverflow overflow) {
    Conversion conversion = new Conversion(source, target, overflow);
    int known = conversions.indexOf(conversion);
    if (known >= 0) {
      return parameters.size() - conversions.size() + known;
    }
    conversions.add(conversion);
    return addParameter(target);
  }

  /** Literals in other types: the last parameters. */
  List<Conversion> conversions() {
    return conversions;
  }

  /** Adds a place for a row. */
  public int addRow() {
    return rows++;
  }

  /** Adds a place for a value. */
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
