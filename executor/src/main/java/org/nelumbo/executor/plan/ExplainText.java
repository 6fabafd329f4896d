package org.nelumbo.executor.plan;

import org.nelumbo.executor.op.core.Operator;

/** Formats operators as an indented tree. */
final class ExplainText {
  private ExplainText() {}

  static String of(Operator root) {
    StringBuilder text = new StringBuilder();
    append(text, root, 0);
    return text.toString();
  }

  private static void append(StringBuilder text, Operator operator, int depth) {
    text.repeat("  ", depth).append(operator.explain()).append('\n');
    for (Operator child : operator.children()) {
      append(text, child, depth + 1);
    }
  }
}
