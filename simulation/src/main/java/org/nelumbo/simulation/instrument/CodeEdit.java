package org.nelumbo.simulation.instrument;

/**
 * The edit of one method that puts a defect, or a part of it, into the engine.
 *
 * @param type class of the edited method, without its package
 * @param method name of the edited method
 * @param action kind of the edit
 * @param call the call that is left out; null if the whole method is edited
 * @param former the method of {@link FormerCode} that runs instead; null if none does
 * @param result result of the omitted call, or of the method
 */
record CodeEdit(String type, String method, Action action, String call, String former, int result) {
  /** Kinds of edits. */
  enum Action {
    /** Leaves out a call. */
    SKIP,
    /** Runs a method of {@link FormerCode} instead of a call. */
    SWAP,
    /** Makes handlers rethrow the exceptions they catch. */
    UNCAUGHT,
    /** Makes the method return a number, false or null at once. */
    RETURN,
    /** Makes the method return its own object at once. */
    RETURN_THIS,
    /** Runs a method of {@link FormerCode} instead of the whole method. */
    FORMER
  }

  /** Parses the text of an edit, in one of the forms that {@link Defect} lists. */
  static CodeEdit parse(String text) {
    String[] words = text.trim().split("[ #]+", -1);
    return switch (words[2]) {
      case "uncaught" -> new CodeEdit(words[0], words[1], Action.UNCAUGHT, null, null, 0);
      case "former" -> new CodeEdit(words[0], words[1], Action.FORMER, null, words[3], 0);
      case "swap" -> new CodeEdit(words[0], words[1], Action.SWAP, words[3], words[4], 0);
      case "return" -> returning(words);
      default -> new CodeEdit(words[0], words[1], Action.SKIP, words[3], null, number(words, 4));
    };
  }

  private static CodeEdit returning(String[] words) {
    boolean itself = words.length > 3 && words[3].equals("this");
    return itself
        ? new CodeEdit(words[0], words[1], Action.RETURN_THIS, null, null, 0)
        : new CodeEdit(words[0], words[1], Action.RETURN, null, null, number(words, 3));
  }

  private static int number(String[] words, int at) {
    return words.length > at ? Integer.parseInt(words[at]) : 0;
  }
}
