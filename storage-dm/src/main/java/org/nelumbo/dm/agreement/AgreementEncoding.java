package org.nelumbo.dm.agreement;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.agreement.AgreementReply.Accepted;
import org.nelumbo.dm.agreement.AgreementReply.Behind;
import org.nelumbo.dm.agreement.AgreementReply.Forgotten;
import org.nelumbo.dm.agreement.AgreementReply.Known;
import org.nelumbo.dm.agreement.AgreementReply.Outdated;
import org.nelumbo.dm.agreement.AgreementReply.Promised;
import org.nelumbo.dm.agreement.AgreementReply.Refused;
import org.nelumbo.dm.agreement.AgreementRequest.Accept;
import org.nelumbo.dm.agreement.AgreementRequest.Inquire;
import org.nelumbo.dm.agreement.AgreementRequest.Learn;
import org.nelumbo.dm.agreement.AgreementRequest.Prepare;

/**
 * Encodes and decodes requests to acceptors, their responses, and their state: little-endian, with
 * one byte for the type in front of requests and responses. A decision is its number, the number of
 * its acceptors, node and incarnation of each, then length and bytes of the content; an absent one
 * has the number 0.
 *
 * <p>The decoded bytes may come from a network or a file: any error in them results in an {@link
 * IllegalArgumentException}.
 */
public final class AgreementEncoding {
  /** Maximum number of acceptors of a decision: 64 memory nodes and some witnesses. */
  public static final int ACCEPTORS_MAX = 80;

  /** Maximum length of a decision's content in bytes. */
  public static final int CONTENT_LENGTH_MAX = 8 << 10;

  /** Maximum length of a request or a response in bytes. */
  public static final int MESSAGE_LENGTH_MAX = 10 << 10;

  /** Maximum length of the state of an acceptor in bytes. */
  public static final int STATE_LENGTH_MAX = 2 * MESSAGE_LENGTH_MAX;

  private static final byte INQUIRE = 1;
  private static final byte PREPARE = 2;
  private static final byte ACCEPT = 3;
  private static final byte LEARN = 4;

  private static final byte KNOWN = 1;
  private static final byte PROMISED = 2;
  private static final byte ACCEPTED = 3;
  private static final byte REFUSED = 4;
  private static final byte OUTDATED = 5;
  private static final byte BEHIND = 6;
  private static final byte FORGOTTEN = 7;

  private AgreementEncoding() {}

  private interface Decoder<T> {
    T read(ByteBuffer from);
  }

  public static byte[] encode(AgreementRequest request) {
    ByteBuffer to = buffer(MESSAGE_LENGTH_MAX);
    switch (request) {
      case Inquire _ -> to.put(INQUIRE);
      case Prepare prepare -> {
        to.put(PREPARE).putLong(prepare.incarnation()).putLong(prepare.number());
        put(to, prepare.ballot());
      }
      case Accept accept -> {
        to.put(ACCEPT).putLong(accept.incarnation());
        put(to, accept.ballot());
        put(to, accept.decision());
      }
      case Learn learn -> {
        to.put(LEARN);
        put(to, learn.decision());
      }
    }
    return written(to);
  }

  /** Decodes the result of {@link #encode(AgreementRequest)}. */
  public static AgreementRequest request(byte[] bytes) {
    return decode(bytes, MESSAGE_LENGTH_MAX, AgreementEncoding::request);
  }

  private static AgreementRequest request(ByteBuffer from) {
    byte kind = from.get();
    return switch (kind) {
      case INQUIRE -> new Inquire();
      case PREPARE -> new Prepare(from.getLong(), number(from.getLong()), ballot(from));
      case ACCEPT -> new Accept(from.getLong(), ballot(from), someDecision(from));
      case LEARN -> new Learn(someDecision(from));
      default -> throw new IllegalArgumentException("unknown agreement request kind=" + kind);
    };
  }

  public static byte[] encode(AgreementReply reply) {
    ByteBuffer to = buffer(MESSAGE_LENGTH_MAX);
    switch (reply) {
      case Known known -> {
        to.put(KNOWN).putLong(known.incarnation());
        put(to, known.decided());
      }
      case Promised promised -> {
        to.put(PROMISED);
        put(to, promised.ballot());
        put(to, promised.accepted());
      }
      case Accepted _ -> to.put(ACCEPTED);
      case Refused refused -> {
        to.put(REFUSED);
        put(to, refused.promised());
      }
      case Outdated outdated -> {
        to.put(OUTDATED);
        put(to, outdated.decided());
      }
      case Behind _ -> to.put(BEHIND);
      case Forgotten forgotten -> to.put(FORGOTTEN).putLong(forgotten.incarnation());
    }
    return written(to);
  }

  /** Decodes the result of {@link #encode(AgreementReply)}. */
  public static AgreementReply reply(byte[] bytes) {
    return decode(bytes, MESSAGE_LENGTH_MAX, AgreementEncoding::reply);
  }

  private static AgreementReply reply(ByteBuffer from) {
    byte kind = from.get();
    return switch (kind) {
      case KNOWN -> new Known(from.getLong(), decision(from));
      case PROMISED -> new Promised(ballot(from), decision(from));
      case ACCEPTED -> new Accepted();
      case REFUSED -> new Refused(ballot(from));
      case OUTDATED -> new Outdated(someDecision(from));
      case BEHIND -> new Behind();
      case FORGOTTEN -> new Forgotten(from.getLong());
      default -> throw new IllegalArgumentException("unknown agreement response kind=" + kind);
    };
  }

  public static byte[] encode(AcceptorState state) {
    ByteBuffer to = buffer(STATE_LENGTH_MAX);
    put(to, state.decided());
    put(to, state.promised());
    put(to, state.acceptedBallot());
    put(to, state.accepted());
    return written(to);
  }

  /** Decodes the result of {@link #encode(AcceptorState)}. */
  public static AcceptorState state(byte[] bytes) {
    return decode(
        bytes,
        STATE_LENGTH_MAX,
        from -> new AcceptorState(decision(from), ballot(from), ballot(from), decision(from)));
  }

  private static <T> T decode(byte[] bytes, int lengthMax, Decoder<T> decoder) {
    if (bytes.length > lengthMax) {
      throw new IllegalArgumentException("an agreement message is too long: " + bytes.length);
    }
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      T decoded = decoder.read(from);
      if (from.hasRemaining()) {
        throw new IllegalArgumentException(
            "bytes after an agreement message count=" + from.remaining());
      }
      return decoded;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("an agreement message ends too early", e);
    }
  }

  private static ByteBuffer buffer(int length) {
    return ByteBuffer.wrap(new byte[length]).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] written(ByteBuffer to) {
    byte[] bytes = new byte[to.position()];
    to.flip().get(bytes);
    return bytes;
  }

  private static void put(ByteBuffer to, Ballot ballot) {
    to.putLong(ballot.round()).putLong(ballot.proposer());
  }

  private static Ballot ballot(ByteBuffer from) {
    return new Ballot(from.getLong(), from.getLong());
  }

  private static void put(ByteBuffer to, Decision decision) {
    if (decision == null) {
      to.putLong(0);
      return;
    }
    byte[] content = decision.content();
    if (decision.acceptors().size() > ACCEPTORS_MAX || content.length > CONTENT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a decision is too large acceptors="
              + decision.acceptors().size()
              + " bytes="
              + content.length);
    }
    to.putLong(number(decision.number())).putInt(decision.acceptors().size());
    for (AcceptorId each : decision.acceptors()) {
      to.putInt(each.node()).putLong(each.incarnation());
    }
    to.putInt(content.length).put(content);
  }

  private static Decision someDecision(ByteBuffer from) {
    Decision decision = decision(from);
    if (decision == null) {
      throw new IllegalArgumentException("an agreement message has no decision");
    }
    return decision;
  }

  private static Decision decision(ByteBuffer from) {
    long number = from.getLong();
    if (number == 0) {
      return null;
    }
    int count = from.getInt();
    if (count < 1 || count > ACCEPTORS_MAX) {
      throw new IllegalArgumentException("a decision has a wrong number of acceptors: " + count);
    }
    List<AcceptorId> acceptors = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      acceptors.add(new AcceptorId(from.getInt(), from.getLong()));
    }
    int length = from.getInt();
    if (length < 0 || length > CONTENT_LENGTH_MAX || length > from.remaining()) {
      throw new IllegalArgumentException("the content of a decision has a wrong length: " + length);
    }
    byte[] content = new byte[length];
    from.get(content);
    return new Decision(number(number), acceptors, content);
  }

  private static long number(long number) {
    if (number < 1) {
      throw new IllegalArgumentException("decisions are numbered from 1, not " + number);
    }
    return number;
  }
}
