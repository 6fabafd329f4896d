package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The secrets by which compute nodes and memory nodes know each other: none, one, or two while one
 * takes the place of the other. Memory nodes take either of two; a compute node says the first, and
 * if that is wrong the second. Secrets in a file are read again when it changes. Thread-safe.
 */
public final class Secrets {
  /** No secret: whoever can connect may. */
  public static final Secrets NONE = new Secrets(List.of(), null);

  /** A secret that is shorter can be guessed by who has heard a handshake. */
  public static final int STRONG_LENGTH = 16;

  private static final int SECRETS_MAX = 2;

  /** What a guess costs somebody who has heard a handshake, in rounds of HMAC-SHA-256. */
  private static final int ROUNDS = 100_000;

  private static final int KEY_BITS = 256;
  private static final int KEYS_KEPT = 64;

  private final List<String> fixed;

  /** Null: they are fixed. */
  private final WatchedFiles<List<String>> file;

  private final ReentrantLock lock = new ReentrantLock();

  /** Keys by secret and salt: a key takes a tenth of a second of computing. */
  private final Map<String, byte[]> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
          return size() > KEYS_KEPT;
        }
      };

  private Secrets(List<String> fixed, WatchedFiles<List<String>> file) {
    this.fixed = fixed;
    this.file = file;
  }

  /** One secret; none if it is empty. */
  public static Secrets of(String secret) {
    return secret.isEmpty() ? NONE : new Secrets(List.of(secret), null);
  }

  /**
   * The secrets in a file, one a line, one or two; blanks at the ends of lines do not count.
   *
   * @throws IOException if it cannot be read or has none; the message names the file
   */
  public static Secrets ofFile(Path path) throws IOException {
    return new Secrets(List.of(), new WatchedFiles<>(List.of(path), () -> read(path)));
  }

  private static List<String> read(Path path) throws IOException {
    try {
      List<String> lines =
          Files.readAllLines(path).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList();
      if (lines.isEmpty() || lines.size() > SECRETS_MAX) {
        throw new IOException(
            "the file of secrets "
                + path
                + " has "
                + (lines.isEmpty() ? "none" : lines.size())
                + ": write one in a line, or two while one takes the place of the other");
      }
      return lines;
    } catch (CharacterCodingException e) {
      throw new IOException("the file of secrets " + path + " is not a text in UTF-8", e);
    }
  }

  /** Those that are valid now, the preferred one first. */
  public List<String> current() {
    return file == null ? fixed : file.current();
  }

  public boolean isEmpty() {
    return current().isEmpty();
  }

  /** Whether one of them is so short that it can be guessed. */
  public boolean isWeak() {
    return current().stream().anyMatch(each -> each.length() < STRONG_LENGTH);
  }

  /** The key that a secret makes with the salt of a memory node. */
  byte[] key(String secret, byte[] salt) {
    String name = HexFormat.of().formatHex(salt) + secret;
    lock.lock();
    try {
      byte[] key = keys.get(name);
      if (key == null) {
        key = derive(secret, salt);
        keys.put(name, key);
      }
      return key;
    } finally {
      lock.unlock();
    }
  }

  /** The keys of all that are valid now. */
  public List<byte[]> keys(byte[] salt) {
    return current().stream().map(secret -> key(secret, salt)).toList();
  }

  private static byte[] derive(String secret, byte[] salt) {
    PBEKeySpec spec = new PBEKeySpec(secret.toCharArray(), salt, ROUNDS, KEY_BITS);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } finally {
      spec.clearPassword();
    }
  }

  /** Says how many there are, and nothing of what they are. */
  @Override
  public String toString() {
    return "Secrets[" + current().size() + "]";
  }
}
