package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Everything that was said in a handshake, by both sides, and what it was said through. A proof of
 * the secret covers all of it: one that was heard elsewhere, or is passed on by somebody in
 * between, proves nothing. For one thread.
 */
public final class Transcript {
  private static final String CLIENT = "Nelumbo 2 compute node";
  private static final String NODE = "Nelumbo 2 memory node";
  private static final String MAC = "HmacSHA256";

  private final MessageDigest digest;

  /**
   * Begins with the channel.
   *
   * @param binding what only the two ends of the encrypted channel know; empty if it is not
   *     encrypted
   */
  public Transcript(byte[] binding) {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    digest.update((byte) binding.length);
    digest.update(binding);
  }

  /** A whole frame was sent, or has come: from the buffer's position to its limit. */
  public void add(ByteBuffer frame) {
    digest.update(frame.duplicate());
  }

  /**
   * A whole frame with a proof, which counts as zeros: from the buffer's position to its limit, the
   * proof behind the header.
   */
  public void addWithoutProof(ByteBuffer frame) {
    ByteBuffer copy = ByteBuffer.allocate(frame.remaining()).put(frame.duplicate());
    copy.put(Wire.HEADER_LENGTH, new byte[Wire.PROOF_LENGTH]);
    digest.update(copy.flip());
  }

  /** What a compute node says to prove that it knows the secret. */
  byte[] proofOfClient(byte[] key) {
    return proof(key, CLIENT);
  }

  /** Which of a memory node's secrets a compute node has proven to know; null if none. */
  public byte[] keyProven(byte[] proof, List<byte[]> keys) {
    byte[] found = null;
    for (byte[] key : keys) {
      if (MessageDigest.isEqual(proof, proofOfClient(key))) {
        found = key;
      }
    }
    return found;
  }

  /** What a memory node says to prove that it knows the secret, too. */
  public byte[] proofOfNode(byte[] key) {
    return proof(key, NODE);
  }

  private byte[] proof(byte[] key, String side) {
    if (key.length == 0) {
      return new byte[Wire.PROOF_LENGTH];
    }
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      mac.update(side.getBytes(StandardCharsets.UTF_8));
      mac.update(((MessageDigest) digest.clone()).digest());
      return Arrays.copyOf(mac.doFinal(), Wire.PROOF_LENGTH);
    } catch (GeneralSecurityException | CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }
}
