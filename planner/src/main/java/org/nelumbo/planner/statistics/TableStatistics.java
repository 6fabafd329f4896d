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

/** What a sample of a table's rows tells of their values. Immutable, thread-safe. */
public final class TableStatistics {
  /** What is said of a value that is not known. */
  public static final double UNKNOWN = -1;

  /** With more different values than one in so many rows, they grow with the table. */
  private static final double GROWING_SHARE = 10;

  private static final byte[] LEAST = {};
  private static final byte[] GREATEST = new byte[ColumnStatistics.LONGEST];

  static {
    java.util.Arrays.fill(GREATEST, (byte) 0xff);
  }

  private final RowLayout layout;
  private final double rows;
  private final ColumnStatistics[] columns;

  /** Of columns that indexes begin with, how many different combinations there are. */
  private final Map<BitSet, Double> combinations;

  TableStatistics(
      RowLayout layout, double rows, ColumnStatistics[] columns, Map<BitSet, Double> combinations) {
    this.layout = layout;
    this.rows = rows;
    this.columns = columns;
    this.combinations = Map.copyOf(combinations);
  }

  /** Rows of the table when it was looked at. */
  public double rows() {
    return rows;
  }

  /**
   * How many different values some columns have together.
   *
   * @param now rows that the table has now
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

  /** The share of rows in which a column is NULL. */
  public double nullShare(int column) {
    return column < columns.length ? columns[column].nullShare() : 0;
  }

  /** How many times more rows the most frequent value has than the average one. */
  public double skew(int column) {
    if (column >= columns.length) {
      return 1;
    }
    ColumnStatistics known = columns[column];
    return known.mostCommon() * known.distinct() / Math.max(1e-9, 1 - known.nullShare());
  }

  /** The share of rows in which a column has a value; {@link #UNKNOWN} if the value is. */
  public double equal(int column, Expression value) {
    if (column >= columns.length || !isKnown(column, value)) {
      return UNKNOWN;
    }
    KeyBuffer key = new KeyBuffer();
    int how = append(column, value, key);
    return how == KeyExpressions.EXACT ? columns[column].equal(bytes(how, key)) : 0;
  }

  /**
   * The share of rows in which a column is within bounds; {@link #UNKNOWN} if one of them is.
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

  /** The share of rows with a value less than one, or equal to it; negative if it is NULL. */
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

  /** Makes keys of the values of a column. */
  static IndexKeyEncoder encoder(RowLayout layout, int... columns) {
    return new IndexKeyEncoder(layout, IndexSchema.ascending(0, "", false, columns));
  }
}
