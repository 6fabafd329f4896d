package org.nelumbo.dm.node;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.nelumbo.dm.fabric.tcp.SpinThenBlock;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to this memory node, served by a thread of its own. Frames that have arrived
 * together are answered together. Whatever is wrong with what comes closes this connection, with a
 * reason in the log, and no other.
 */
final class PeerConnection implements Runnable, OwnershipLease.Connection {
  private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);
  private static final int HANDSHAKE_MILLIS = 10_000;
  private static final int HANDSHAKE_LENGTH_MAX = 4 << 10;
  private static final int OUT_LENGTH = 2 * Wire.FRAME_LENGTH_MAX;

  private static final String UNUSABLE =
      "its memory cannot be read or written; if it is in a file (--data), the file system may be"
          + " full, its device faulty, or the file was truncated: mend the cause, then stop the"
          + " node and start it again";

  private final MemoryNode node;
  private final OwnershipLease ownershipLease;

  /** Socket below the connection: closing it ends the connection at once. */
  private final Socket socket;

  private final byte[] nonce;
  private InputStream stream;
  private SpinThenBlock spinThenBlock;
  private OutputStream answers;

  /** Held while verbs are done; whoever revokes waits for it. */
  private final ReentrantLock executing = new ReentrantLock();

  private volatile boolean revoked;
  private byte[] in = new byte[HANDSHAKE_LENGTH_MAX];
  private int filled;
  private int taken;
  private ByteBuffer out = Wire.buffer(HANDSHAKE_LENGTH_MAX);
  private Channel channel;
  private VerbFrame verbs;

  PeerConnection(MemoryNode node, OwnershipLease ownershipLease, Socket socket, byte[] nonce) {
    this.node = node;
    this.ownershipLease = ownershipLease;
    this.socket = socket;
    this.nonce = nonce;
  }

  @Override
  public void run() {
    try (socket) {
      converse();
    } catch (IOException e) {
      LOG.debug("closing connection from {}: {}", socket.getRemoteSocketAddress(), e.toString());
    } finally {
      ownershipLease.leave(this);
      if (channel != null) {
        channel.close();
      }
      node.left(this);
    }
  }

  private void converse() {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      Socket spoken = node.tls() == null ? socket : node.tls().serve(socket);
      stream = spoken.getInputStream();
      spinThenBlock = new SpinThenBlock(node.environment(), socket.getInputStream(), stream);
      answers = spoken.getOutputStream();
      if (handshake()) {
        serve();
      }
    } catch (EOFException e) {
      LOG.debug("{} closed its connection", socket.getRemoteSocketAddress());
    } catch (SocketTimeoutException e) {
      LOG.warn("closing connection from {}: it says nothing", socket.getRemoteSocketAddress());
      node.counters().countRefused(NodeCounters.Refusal.SILENT);
    } catch (SSLException e) {
      if (!revoked) {
        LOG.warn("closing connection from {}: {}", socket.getRemoteSocketAddress(), e.getMessage());
        node.counters().countRefused(NodeCounters.Refusal.TLS);
      }
    } catch (IOException e) {
      if (!revoked) {
        LOG.debug("connection from {} lost: {}", socket.getRemoteSocketAddress(), e.toString());
      }
    } catch (RuntimeException e) {
      LOG.warn("closing connection from {}: {}", socket.getRemoteSocketAddress(), e.getMessage());
      node.counters().countRefused(NodeCounters.Refusal.PROTOCOL);
      refuseQuietly(e.getMessage());
    } catch (InternalError e) {
      LOG.error(
          "closing connection from {}: {}: {}",
          socket.getRemoteSocketAddress(),
          UNUSABLE,
          e.getMessage());
      refuseQuietly(UNUSABLE);
    }
  }

  /** Whether verbs may follow. */
  private boolean handshake() throws IOException {
    receive(Wire.HELLO);
    ByteBuffer hello = body();
    if (hello.getInt() != Wire.MAGIC) {
      throw new ProtocolException("it does not speak the protocol");
    }
    int version = hello.getInt();
    if (version != Wire.VERSION) {
      node.counters().countRefused(NodeCounters.Refusal.VERSION);
      refuse("this memory node speaks protocol version " + Wire.VERSION + ", not " + version);
      return false;
    }
    taken += frameLength();
    Wire.begin(out, Wire.WELCOME);
    out.put(nonce);
    send();
    return enter();
  }

  private boolean enter() throws IOException {
    byte type = receiveAny();
    ByteBuffer request = body();
    byte[] proof = new byte[Wire.PROOF_LENGTH];
    request.get(proof);
    if (!MessageDigest.isEqual(proof, Wire.proof(node.secret(), nonce))) {
      LOG.warn("refusing {}: it does not know the secret", socket.getRemoteSocketAddress());
      node.counters().countRefused(NodeCounters.Refusal.SECRET);
      refuse("the secret is wrong: say that of the memory node (its NELUMBO_SECRET) as password=");
      return false;
    }
    if (type == Wire.STATUS) {
      Wire.begin(out, Wire.STATUS_IS);
      Wire.putText(out, node.status());
      send();
      return false;
    }
    return attach(type, request);
  }

  private boolean attach(byte type, ByteBuffer request) throws IOException {
    long epoch = request.getLong();
    String owner = Wire.getText(request);
    taken += frameLength();
    prepare();
    try {
      if (type == Wire.ATTACH) {
        epoch = ownershipLease.attach(owner, this);
        LOG.info("serving {} in epoch {}", owner, epoch);
      } else if (type == Wire.JOIN) {
        ownershipLease.join(epoch, this);
      } else {
        throw new ProtocolException("a frame of an unknown type came type=" + type);
      }
    } catch (OwnershipLease.RefusedException e) {
      node.counters().countRefused(NodeCounters.Refusal.IN_USE);
      refuse(e.getMessage());
      return false;
    }
    Wire.begin(out, Wire.ATTACHED);
    out.putLong(epoch).putLong(node.bytes());
    send();
    socket.setSoTimeout(0);
    return true;
  }

  /** Buffers for verbs, which a peer gets only when it has shown who it is. */
  private void prepare() {
    byte[] larger = new byte[2 * Wire.FRAME_LENGTH_MAX];
    System.arraycopy(in, taken, larger, 0, filled - taken);
    filled -= taken;
    taken = 0;
    in = larger;
    out = Wire.buffer(OUT_LENGTH);
    channel = node.openChannel(VerbFrame.STAGING_BYTES);
    verbs = new VerbFrame(channel);
  }

  private void serve() throws IOException {
    while (!revoked) {
      if (!hasFrame(Wire.FRAME_LENGTH_MAX)) {
        flushOut();
        fill();
      } else if (!execute()) {
        return;
      }
    }
  }

  /** Executes one frame of verbs; returns false if this connection was revoked meanwhile. */
  private boolean execute() throws IOException {
    byte type = in[taken + Wire.TYPE_OFFSET];
    if (type != Wire.VERBS) {
      throw new ProtocolException("a frame of an unknown type came type=" + type);
    }
    ByteBuffer header = ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN);
    int length = frameLength();
    int count = header.getShort(taken + Wire.COUNT_OFFSET) & 0xFFFF;
    long sequence = header.getLong(taken + Wire.SEQUENCE_OFFSET);
    ownershipLease.heard();
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      verbs.execute(in, taken, length, count);
    } finally {
      executing.unlock();
    }
    taken += length;
    node.counters().countFrame();
    putResults(sequence);
    return true;
  }

  private void putResults(long sequence) throws IOException {
    int length = Wire.HEADER_LENGTH + verbs.resultBytes();
    if (out.remaining() < length) {
      flushOut();
    }
    out.putInt(length).put(Wire.RESULTS).put((byte) 0).putShort((short) 0).putLong(sequence);
    verbs.putResults(out);
  }

  private void flushOut() throws IOException {
    if (out.position() > 0) {
      node.counters().countSent(out.position());
      answers.write(Wire.array(out), 0, out.position());
      out.clear();
    }
  }

  private void receive(byte type) throws IOException {
    if (receiveAny() != type) {
      throw new ProtocolException("it does not speak the protocol");
    }
  }

  /** Waits for a whole frame of the handshake; returns its type. */
  private byte receiveAny() throws IOException {
    while (!hasFrame(HANDSHAKE_LENGTH_MAX)) {
      fill();
    }
    return in[taken + Wire.TYPE_OFFSET];
  }

  /** Whether a whole frame is there, at {@link #taken}. */
  private boolean hasFrame(int lengthMax) {
    if (filled - taken < Wire.HEADER_LENGTH) {
      return false;
    }
    int length = frameLength();
    if (length < Wire.HEADER_LENGTH || length > lengthMax || (length & 7) != 0) {
      throw new ProtocolException("a frame of a wrong length came length=" + length);
    }
    return filled - taken >= length;
  }

  private int frameLength() {
    return ByteBuffer.wrap(in).order(ByteOrder.LITTLE_ENDIAN).getInt(taken);
  }

  private ByteBuffer body() {
    return ByteBuffer.wrap(in, taken, frameLength())
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .position(Wire.HEADER_LENGTH);
  }

  private void fill() throws IOException {
    if (taken > 0) {
      System.arraycopy(in, taken, in, 0, filled - taken);
      filled -= taken;
      taken = 0;
    }
    spinThenBlock.await();
    int count = stream.read(in, filled, in.length - filled);
    if (count < 0) {
      throw new EOFException();
    }
    node.counters().countReceived(count);
    filled += count;
  }

  private void refuse(String why) throws IOException {
    out.clear();
    Wire.begin(out, Wire.REFUSED);
    Wire.putText(out, why);
    send();
  }

  private void refuseQuietly(String why) {
    if (answers == null) {
      return;
    }
    try {
      refuse(String.valueOf(why));
    } catch (IOException e) {
      // it is gone already
    }
  }

  private void send() throws IOException {
    Wire.end(out);
    node.counters().countSent(out.limit());
    answers.write(Wire.array(out), 0, out.limit());
    out.clear();
  }

  @Override
  public void revoke() {
    revoked = true;
    executing.lock();
    try {
      close();
    } finally {
      executing.unlock();
    }
  }

  @Override
  public boolean isRevoked() {
    return revoked;
  }

  void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // it is closed
    }
  }
}
