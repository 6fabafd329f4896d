package org.nelumbo.planner.statistics;

import java.util.BitSet;
import java.util.Map;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.access.KeyExpressions;
import org.nelumbo.executor.op.access.RangeBound;
import org.nelumbo.executor.row.IndexKeyEncoder;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowLayout;

/** Statistics of the values in a table, taken from a sample of its rows. Immutable, thread-safe. */
public final class TableStatistics {
  /** Result for a value that is not known. */
  public static final double UNKNOWN = -1;

  /**
   * Number of rows per distinct value below which the number of distinct values of a column grows
   * with the table.
   */
  private static final double GROWING_SHARE = 10;

  private static final byte[] LEAST = {};
  private static final byte[] GREATEST = new byte[ColumnStatistics.LONGEST];

  static {
    java.util.Arrays.fill(GREATEST, (byte) 0xff);
  }

  private final RowLayout layout;
  private final double rows;
  private final ColumnStatistics[] columns;

  /** Number of distinct combinations of columns that are prefixes of indexes. */
  private final Map<BitSet, Double> combinations;

  TableStatistics(
      RowLayout layout, double rows, ColumnStatistics[] columns, Map<BitSet, Double> combinations) {
    this.layout = layout;
    this.rows = rows;
    this.columns = columns;
    this.combinations = Map.copyOf(combinations);
  }

  /** Returns the number of rows when the sample was taken. */
  public double rows() {
    return rows;
  }

  /**
   * Returns the number of distinct combinations of some columns.
   *
   * @param now current number of rows
   */
  public double distinct(int[] some, double now) {
    BitSet left = new BitSet();
    for (int column : some) {
      left.set(column);
    }
    double product = 1;
    BitSet group = largest(left);
    if (group != null) {
      product = grown(combinations.get(group), now);
      left.andNot(group);
    }
    for (int column = left.nextSetBit(0); column >= 0; column = left.nextSetBit(column + 1)) {
      product *= Math.max(1, column < columns.length ? grown(columns[column].distinct(), now) : 1);
    }
    return Math.clamp(product, 1, Math.max(1, now));
  }

  private BitSet largest(BitSet some) {
    BitSet best = null;
    for (BitSet group : combinations.keySet()) {
      BitSet outside = (BitSet) group.clone();
      outside.andNot(some);
      if (outside.isEmpty() && (best == null || group.cardinality() > best.cardinality())) {
        best = group;
      }
    }
    return best;
  }

  private double grown(double distinct, double now) {
    return distinct * GROWING_SHARE > rows ? distinct * now / rows : distinct;
  }

  /** Returns the fraction of rows in which a column is NULL. */
  public double nullShare(int column) {
    return column < columns.length ? columns[column].nullShare() : 0;
  }

  /** Returns the frequency of the most frequent value relative to the average. */
  public double skew(int column) {
    if (column >= columns.length) {
      return 1;
    }
    ColumnStatistics known = columns[column];
    return known.mostCommon() * known.distinct() / Math.max(1e-9, 1 - known.nullShare());
  }

  /**
   * Returns the fraction of rows in which a column has a value, or {@link #UNKNOWN} if the value is
   * unknown.
   */
  public double equal(int column, Expression value) {
    if (column >= columns.length || !isKnown(column, value)) {
      return UNKNOWN;
    }
    KeyBuffer key = new KeyBuffer();
    int how = append(column, value, key);
    return how == KeyExpressions.EXACT ? columns[column].equal(bytes(how, key)) : 0;
  }

  /**
   * Returns the fraction of rows in which a column is within bounds, or {@link #UNKNOWN} if a bound
   * is unknown.
   *
   * @param lower null if there is none
   * @param upper null if there is none
   */
  public double within(int column, RangeBound lower, RangeBound upper) {
    boolean known =
        column < columns.length
            && (lower == null || isKnown(column, lower.value()))
            && (upper == null || isKnown(column, upper.value()));
    if (!known) {
      return UNKNOWN;
    }
    double from = lower == null ? 0 : below(column, lower.value(), !lower.inclusive());
    double to =
        upper == null ? 1 - nullShare(column) : below(column, upper.value(), upper.inclusive());
    return from < 0 || to < 0 ? 0 : Math.max(0, to - from);
  }

  private boolean isKnown(int column, Expression value) {
    return value != null
        && value.isConstant()
        && KeyExpressions.isUsable(layout.type(column), value);
  }

  /** Negative if the value is NULL. */
  private double below(int column, Expression value, boolean orEqual) {
    KeyBuffer key = new KeyBuffer();
    int how = append(column, value, key);
    if (how == KeyExpressions.NULL) {
      return -1;
    }
    byte[] bytes = bytes(how, key);
    boolean includes = how == KeyExpressions.ROUNDED_DOWN || how == KeyExpressions.EXACT && orEqual;
    ColumnStatistics known = columns[column];
    return known.below(bytes) + (includes ? known.equal(bytes) : 0);
  }

  private int append(int column, Expression value, KeyBuffer key) {
    return KeyExpressions.append(format(layout, column), 0, value, Frame.ofPlanning(), key);
  }

  private static byte[] bytes(int how, KeyBuffer key) {
    return switch (how) {
      case KeyExpressions.BELOW -> LEAST;
      case KeyExpressions.ABOVE -> GREATEST;
      default -> bytes(key);
    };
  }

  static byte[] bytes(KeyBuffer key) {
    return java.util.Arrays.copyOf(key.bytes, Math.min(key.length, ColumnStatistics.LONGEST));
  }

  private static KeyFormat format(RowLayout layout, int column) {
    return encoder(layout, column).format();
  }

  /** Creates an encoder for the values of columns. */
  static IndexKeyEncoder encoder(RowLayout layout, int... columns) {
    return new IndexKeyEncoder(layout, IndexSchema.ascending(0, "", false, columns));
  }
}
