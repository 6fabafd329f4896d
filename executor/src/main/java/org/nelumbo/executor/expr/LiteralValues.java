package org.nelumbo.executor.expr;

import java.util.List;
import org.nelumbo.types.ParameterSet;

/** Computes the values of the parameterized literals of one text, for a shared plan. */
public final class LiteralValues {
  private LiteralValues() {}

  /**
   * Returns the parameters of a run with these literals.
   *
   * @param literals constants with the types of the plan's first parameters
   * @return the parameters, or null if one of the literals cannot be converted as the plan requires
   */
  public static ParameterSet of(FrameLayout layout, List<Expression> literals) {
    int count = layout.parameterCount();
    List<FrameLayout.Conversion> conversions = layout.conversions();
    int first = count - conversions.size();
    if (literals.size() != first) {
      throw new IllegalArgumentException("literals=" + literals.size() + " places=" + first);
    }
    Expression[] all = literals.toArray(new Expression[count]);
    ParameterSet values = new ParameterSet(count);
    Frame frame = Frame.ofPlanning();
    for (int i = 0; i < count; i++) {
      if (i >= first) {
        FrameLayout.Conversion conversion = conversions.get(i - first);
        all[i] =
            Casts.convert(conversion.target(), all[conversion.source()], conversion.overflow());
      }
      if (!(all[i] instanceof Literal)) {
        return null;
      }
      if (all[i].type().isLong()) {
        values.setLong(i, all[i].evalLong(frame));
      } else {
        values.setObject(i, all[i].evalObject(frame));
      }
    }
    return values;
  }
}
