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
 * A digest of all frames of a handshake, from both sides, and of the channel binding. A proof of
 * the secret covers all of it: a proof that was recorded elsewhere, or is relayed by a man in the
 * middle, is invalid. For one thread.
 */
public final class Transcript {
  private static final String CLIENT = "Nelumbo 2 compute node";
  private static final String NODE = "Nelumbo 2 memory node";
  private static final String MAC = "HmacSHA256";

  private final MessageDigest digest;

  /**
   * Starts with the channel.
   *
   * @param binding channel binding; empty if the channel is not encrypted
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

  /** Adds a complete frame that was sent or received, from the buffer's position to its limit. */
  public void add(ByteBuffer frame) {
    digest.update(frame.duplicate());
  }

  /**
   * Adds a complete frame whose proof counts as zeros, from the buffer's position to its limit. The
   * proof is behind the header.
   */
  public void addWithoutProof(ByteBuffer frame) {
    ByteBuffer copy = ByteBuffer.allocate(frame.remaining()).put(frame.duplicate());
    copy.put(Wire.HEADER_LENGTH, new byte[Wire.PROOF_LENGTH]);
    digest.update(copy.flip());
  }

  /** Returns the compute node's proof that it knows the secret. */
  byte[] proofOfClient(byte[] key) {
    return proof(key, CLIENT);
  }

  /** Returns the key of the secret that a compute node has proven to know; null if none matches. */
  public byte[] keyProven(byte[] proof, List<byte[]> keys) {
    byte[] found = null;
    for (byte[] key : keys) {
      if (MessageDigest.isEqual(proof, proofOfClient(key))) {
        found = key;
      }
    }
    return found;
  }

  /** Returns the memory node's proof that it knows the secret. */
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
