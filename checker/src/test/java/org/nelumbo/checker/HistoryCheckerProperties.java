package org.nelumbo.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;

/** Compares the checker with a machine that is correct by construction, and with the definition. */
class HistoryCheckerProperties {
  private static int corruptedCount;
  private static int wrongCount;

  private static ReferenceMachine.Plan tiny(boolean rows, int snapshotPercent) {
    return new ReferenceMachine.Plan(3, 5, 2, 3, snapshotPercent, 10, rows, !rows);
  }

  @Property(seed = "1", tries = 300)
  void shouldAcceptHistoriesOfReferenceMachine(
      @ForAll long seed,
      @ForAll boolean rows,
      @ForAll @IntRange(min = 0, max = 4) int snapshotQuarters,
      @ForAll @IntRange(min = 0, max = 20) int unknownPercent) {
    ReferenceMachine.Plan plan =
        new ReferenceMachine.Plan(
            5, 200, 6, 4, snapshotQuarters * 25, unknownPercent, rows, seed % 2 == 0);
    Verdict verdict = HistoryChecker.check(new ReferenceMachine(plan, seed).run());
    assertTrue(verdict.isValid(), verdict.toString());
  }

  @Property(seed = "1", tries = 300)
  void shouldAgreeThatTheReferenceMachineIsRight(@ForAll long seed, @ForAll boolean rows) {
    History history = new ReferenceMachine(tiny(rows, 50), seed).run();
    assertTrue(ExactChecker.isValid(history), HistoryText.format(history));
  }

  /**
   * Histories of lists with final reads: the checker finds exactly the violations of the
   * definition.
   */
  @Property(seed = "1", tries = 3000)
  void shouldMatchExactCheckerOnListHistories(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 2) int snapshotHalves) {
    String text =
        corrupted(new ReferenceMachine(tiny(false, snapshotHalves * 50), seed).run(), seed);
    History history = HistoryText.parse(text);
    boolean valid = ExactChecker.isValid(history);
    Verdict verdict = HistoryChecker.check(history);
    assertEquals(valid, verdict.isValid(), () -> text + verdict);
    corruptedCount++;
    wrongCount += valid ? 0 : 1;
  }

  /**
   * Histories of rows that are inserted and deleted: every violation that the checker reports
   * violates the definition.
   */
  @Property(seed = "1", tries = 3000)
  void shouldNeverAccuseRowsUnjustly(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 2) int snapshotHalves) {
    String text =
        corrupted(new ReferenceMachine(tiny(true, snapshotHalves * 50), seed).run(), seed);
    History history = HistoryText.parse(text);
    Verdict verdict = HistoryChecker.check(history);
    if (!verdict.isValid()) {
      assertFalse(ExactChecker.isValid(history), () -> text + verdict);
    }
  }

  @AfterContainer
  static void corruptionsWereOfBothKinds() {
    assertTrue(wrongCount * 10 > corruptedCount, wrongCount + " of " + corruptedCount);
    assertTrue((corruptedCount - wrongCount) * 10 > corruptedCount);
  }

  /** Replaces one or more of the read values, or of the times, in a history. */
  private static String corrupted(History history, long seed) {
    Random random = new Random(seed);
    String text = HistoryText.format(history);
    for (int i = random.nextInt(3); i >= 0; i--) {
      text =
          switch (random.nextInt(4)) {
            case 0 -> replaceOne(text, "\\.\\.(\\d+)", random, end -> end + 40);
            case 1 ->
                replaceOne(text, "read\\(\\d\\)=(\\w+)", random, HistoryCheckerProperties::other);
            case 2 -> replaceOne(text, "list\\(\\d\\)=\\[(\\d[\\d ]*)\\]", random, s -> shorter(s));
            default -> swapTwo(text, random);
          };
    }
    return text;
  }

  private static String other(String value) {
    return value.equals("nil") ? "1" : "nil";
  }

  private static String shorter(String elements) {
    int cut = elements.lastIndexOf(' ');
    return cut < 0 ? "" : elements.substring(0, cut);
  }

  /** Swaps the results of two reads of one key. */
  private static String swapTwo(String text, Random random) {
    Matcher matcher =
        Pattern.compile("(?:read|list)\\((\\d)\\)=(\\[[\\d ]*\\]|\\w+)").matcher(text);
    List<java.util.regex.MatchResult> reads = matcher.results().toList();
    if (reads.size() < 2) {
      return text;
    }
    int one = random.nextInt(reads.size() - 1);
    int other = one + 1 + random.nextInt(reads.size() - one - 1);
    if (!reads.get(one).group(1).equals(reads.get(other).group(1))) {
      return text;
    }
    return text.substring(0, reads.get(one).start(2))
        + reads.get(other).group(2)
        + text.substring(reads.get(one).end(2), reads.get(other).start(2))
        + reads.get(one).group(2)
        + text.substring(reads.get(other).end(2));
  }

  private static String replaceOne(
      String text, String regex, Random random, java.util.function.UnaryOperator<String> change) {
    List<java.util.regex.MatchResult> all = Pattern.compile(regex).matcher(text).results().toList();
    if (all.isEmpty()) {
      return text;
    }
    java.util.regex.MatchResult one = all.get(random.nextInt(all.size()));
    return text.substring(0, one.start(1))
        + change.apply(one.group(1))
        + text.substring(one.end(1));
  }
}
