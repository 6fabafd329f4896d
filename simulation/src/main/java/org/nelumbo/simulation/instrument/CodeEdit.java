package org.nelumbo.simulation.instrument;

/**
 * The edit of one method that puts a defect, or a part of it, into the engine.
 *
 * @param type class of the edited method, without its package
 * @param method name of the edited method
 * @param action kind of the edit
 * @param call the call that is left out, or the method of {@link FormerCode} that runs instead;
 *     null if the method does nothing
 * @param result result of the omitted call, or of the method
 */
record CodeEdit(String type, String method, Action action, String call, int result) {
  /** Kinds of edits. */
  enum Action {
    /** Leaves out a call. */
    SKIP,
    /** Makes handlers rethrow the exceptions they catch. */
    UNCAUGHT,
    /** Makes the method return a number, false or null at once. */
    RETURN,
    /** Makes the method return its own object at once. */
    RETURN_THIS,
    /** Runs a method of {@link FormerCode} instead. */
    FORMER
  }

  /**
   * Parses the text of an edit: {@code Type#method skip Type.call}, {@code Type#method reply
   * Type.call N}, {@code Type#method return}, {@code Type#method return N}, {@code Type#method
   * return this}, {@code Type#method uncaught}, {@code Type#method former name}.
   */
  static CodeEdit parse(String text) {
    String[] words = text.trim().split("[ #]+", -1);
    if (words[2].equals("uncaught")) {
      return new CodeEdit(words[0], words[1], Action.UNCAUGHT, null, 0);
    }
    if (words[2].equals("former")) {
      return new CodeEdit(words[0], words[1], Action.FORMER, words[3], 0);
    }
    boolean whole = words[2].equals("return");
    int at = whole ? 3 : 4;
    boolean itself = words.length > at && words[at].equals("this");
    int result = itself || words.length <= at ? 0 : Integer.parseInt(words[at]);
    Action action = itself ? Action.RETURN_THIS : whole ? Action.RETURN : Action.SKIP;
    return new CodeEdit(words[0], words[1], action, whole ? null : words[3], result);
  }
}
