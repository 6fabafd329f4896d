package org.nelumbo.executor.lock;

/**
 * A map of locks by bucket and fingerprint: open addressing with linear probing, two words and a
 * priority per entry, without garbage. Not thread-safe. Positions are valid until the next {@link
 * #add} or {@link #remove}.
 */
final class OverflowMap {
  private static final int FIRST_CAPACITY = 16;

  /** 0 is an empty entry. */
  private long[] words = new long[FIRST_CAPACITY];

  private int[] bases = new int[FIRST_CAPACITY];
  private long[] priorities = new long[FIRST_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /** Returns the position of a lock, or -1. */
  int find(int base, long fingerprint) {
    for (int i = home(base, fingerprint); words[i] != 0; i = next(i)) {
      if (bases[i] == base && LockWord.fingerprintOf(words[i]) == fingerprint) {
        return i;
      }
    }
    return -1;
  }

  int counter(int at) {
    return LockWord.counter(words[at]);
  }

  long priority(int at) {
    return priorities[at];
  }

  void set(int at, int counter, long priority) {
    words[at] = LockWord.of(LockWord.fingerprintOf(words[at]), counter);
    priorities[at] = priority;
  }

  /** Adds a lock that is not in the map. */
  void add(int base, long fingerprint, int counter, long priority) {
    if (2 * (size + 1) > words.length) {
      rehash(words.length * 2);
    }
    place(base, LockWord.of(fingerprint, counter), priority);
    size++;
  }

  private void place(int base, long word, long priority) {
    int i = home(base, LockWord.fingerprintOf(word));
    while (words[i] != 0) {
      i = next(i);
    }
    words[i] = word;
    bases[i] = base;
    priorities[i] = priority;
  }

  /** Removes an entry, and moves up entries that probing would no longer find. */
  void remove(int at) {
    int hole = at;
    for (int i = next(at); words[i] != 0; i = next(i)) {
      int home = home(bases[i], LockWord.fingerprintOf(words[i]));
      int mask = words.length - 1;
      if ((i - home & mask) >= (i - hole & mask)) {
        words[hole] = words[i];
        bases[hole] = bases[i];
        priorities[hole] = priorities[i];
        hole = i;
      }
    }
    words[hole] = 0;
    size--;
    if (words.length > FIRST_CAPACITY && size == 0) {
      rehash(FIRST_CAPACITY);
    }
  }

  /** Returns the number of locks of one bucket. */
  int count(int base) {
    int count = 0;
    for (int i = 0; i < words.length; i++) {
      if (words[i] != 0 && bases[i] == base) {
        count++;
      }
    }
    return count;
  }

  /** A condition on a lock, given by its bucket and word. */
  interface Condition {
    boolean test(int base, long word);
  }

  boolean any(Condition wanted) {
    for (int i = 0; i < words.length; i++) {
      if (words[i] != 0 && wanted.test(bases[i], words[i])) {
        return true;
      }
    }
    return false;
  }

  private void rehash(int capacity) {
    long[] oldWords = words;
    int[] oldBases = bases;
    long[] oldPriorities = priorities;
    long[] newWords = new long[capacity];
    int[] newBases = new int[capacity];
    priorities = new long[capacity];
    words = newWords;
    bases = newBases;
    for (int i = 0; i < oldWords.length; i++) {
      if (oldWords[i] != 0) {
        place(oldBases[i], oldWords[i], oldPriorities[i]);
      }
    }
  }

  private int home(int base, long fingerprint) {
    long hash = (fingerprint ^ base) * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32) & words.length - 1;
  }

  private int next(int i) {
    return i + 1 & words.length - 1;
  }
}
