package org.nelumbo.simulation.instrument;

/**
 * The edit of one method that puts a defect, or a part of it, into the engine.
 *
 * @param type class whose method is broken, without its package
 * @param method broken
 * @param action what is done to it
 * @param call the call that is left out, or the method of {@link FormerCode} that runs instead;
 *     null if the method does nothing
 * @param result what the call, or the method, returns
 */
record CodeEdit(String type, String method, Action action, String call, int result) {
  /** What is done to the code. */
  enum Action {
    /** A call is left out. */
    SKIP,
    /** What its handlers catch they throw again. */
    UNCAUGHT,
    /** The method does nothing, and returns a number, false or null. */
    RETURN,
    /** The method does nothing, and returns the object it is called for. */
    RETURN_THIS,
    /** A method of {@link FormerCode} runs instead. */
    FORMER
  }

  /**
   * What a text says: {@code Type#method skip Type.call}, {@code Type#method answer Type.call N},
   * {@code Type#method return}, {@code Type#method return N}, {@code Type#method return this},
   * {@code Type#method uncaught}, {@code Type#method former name}.
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
