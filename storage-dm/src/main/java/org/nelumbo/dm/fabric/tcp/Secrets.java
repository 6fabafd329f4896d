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
 * The secrets with which compute nodes and memory nodes authenticate each other: none, one, or two
 * during a rotation. Memory nodes accept either of two; a compute node tries the first, and if that
 * is wrong the second. Secrets in a file are read again when the file changes. Thread-safe.
 */
public final class Secrets {
  /** No secret: all processes that can connect are accepted. */
  public static final Secrets NONE = new Secrets(List.of(), null);

  /** Minimum length of a secret. An eavesdropper of a handshake can guess a shorter one. */
  public static final int STRONG_LENGTH = 16;

  private static final int SECRETS_MAX = 2;

  /** Cost of a guess for an eavesdropper of a handshake, in rounds of HMAC-SHA-256. */
  private static final int ROUNDS = 100_000;

  private static final int KEY_BITS = 256;
  private static final int KEYS_KEPT = 64;

  private final List<String> fixed;

  /** Null if the secrets are fixed. */
  private final WatchedFiles<List<String>> file;

  private final ReentrantLock lock = new ReentrantLock();

  /** Keys by secret and salt, because a key takes a tenth of a second of computing. */
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

  /** Returns one secret; none if it is empty. */
  public static Secrets of(String secret) {
    return secret.isEmpty() ? NONE : new Secrets(List.of(secret), null);
  }

  /**
   * Returns the secrets in a file: one or two, each in its own line without surrounding blanks.
   *
   * @throws IOException if it cannot be read or contains none; the message names the file
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
            "the secret file "
                + path
                + " has "
                + (lines.isEmpty() ? "no secrets" : lines.size())
                + ": write one secret per line, one or, during a change, two");
      }
      return lines;
    } catch (CharacterCodingException e) {
      throw new IOException("the secret file " + path + " is not a text in UTF-8", e);
    }
  }

  /** Returns the valid secrets, the preferred one first. */
  public List<String> current() {
    return file == null ? fixed : file.current();
  }

  public boolean isEmpty() {
    return current().isEmpty();
  }

  /** Returns true if one of the secrets is short enough to be guessed. */
  public boolean isWeak() {
    return current().stream().anyMatch(each -> each.length() < STRONG_LENGTH);
  }

  /** Returns the key derived from a secret and the salt of a memory node. */
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

  /** Returns the keys of all valid secrets. */
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

  /** Returns the number of secrets, but not their content. */
  @Override
  public String toString() {
    return "Secrets[" + current().size() + "]";
  }
}
