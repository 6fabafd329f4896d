package org.nelumbo.dm.node;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.nelumbo.dm.fabric.tcp.LinkOptions;
import org.nelumbo.dm.fabric.tcp.Nonce;
import org.nelumbo.dm.fabric.tcp.SpinThenBlock;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.fabric.tcp.Transcript;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.node.RedoReceiver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to this memory node, served by its own thread. The responses to frames that have
 * arrived together are sent together. An error in received frames closes this connection, with a
 * reason in the log, and does not affect other connections.
 */
final class PeerConnection implements Runnable, TenantTable.Connection, ConnectionTable.Peer {
  /** First byte of a TLS connection: the type of its first record. */
  private static final int TLS_HANDSHAKE = 22;

  private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);

  private static final int FIRST_BUFFER_LENGTH = 4 << 10;

  /** Bytes that are read or written at once; longer frames make the buffers grow. */
  private static final int BUFFER_LENGTH = 256 << 10;

  private static final int LOG_FRAME_LENGTH_MAX =
      Wire.LOG_FRAME_OFFSET + RedoReceiver.FRAME_LENGTH_MAX;

  private static final int LOG_REPLIES_LENGTH = 64 << 10;

  /** Bytes that are read at once from a connection for messages. */
  private static final int MESSAGE_BUFFER_LENGTH = 64 << 10;

  private static final String UNUSABLE =
      "its memory cannot be read or written; if it is in a file (--data), the file system"
          + " may be full, its device faulty, or the file was truncated: remove the cause, then"
          + " restart the node";

  private static final String LOG_FAILED =
      "its log can no longer be written: remove the cause, then restart the node; ";

  private final MemoryNode node;
  private final TenantTable tenants;

  /** Closing it ends the connection at once. */
  private final Socket socket;

  private final TenantRequests requests;
  private InputStream stream;

  private boolean isInTheClear;

  private SpinThenBlock spinThenBlock;
  private OutputStream replies;

  /** Held while verbs are executed; revoking waits for it. */
  private final ReentrantLock executing = new ReentrantLock();

  private final QueuePairTable queuePairs;

  private volatile boolean revoked;

  private volatile boolean isCut;

  private final FrameBuffer in = new FrameBuffer(Wire.FIRST_FRAME_LENGTH_MAX);
  private ByteBuffer out = Wire.buffer(FIRST_BUFFER_LENGTH);

  /** Null until the connection has attached, entered or joined. */
  private Tenant tenant;

  /** True if the connection may change the memory. */
  private boolean hasEntered;

  private Channel channel;
  private VerbFrame verbs;

  /** Null unless this is a connection for messages. */
  private PeerId peer;

  private MessageQueue messages;

  /** Queue with messages that may not be written yet; null if there is none. */
  private MessageQueue unflushed;

  /** Null unless this is a connection for the log. */
  private RedoReceiver receiver;

  PeerConnection(MemoryNode node, TenantTable tenants, Socket socket) {
    this.node = node;
    this.tenants = tenants;
    this.socket = socket;
    this.requests = new TenantRequests(node, tenants);
    this.queuePairs = new QueuePairTable(node.rdma());
  }

  @Override
  public void run() {
    try (socket) {
      converse();
    } catch (IOException e) {
      LOG.debug("closing connection from {}: {}", socket.getRemoteSocketAddress(), e.toString());
    } finally {
      leave();
    }
  }

  private void leave() {
    try {
      closeQueuePairs();
      tenants.leave(this);
      if (messages != null) {
        node.relay().leave(peer, messages);
        messages.close();
      }
      if (channel != null) {
        channel.close();
      }
      if (receiver != null) {
        receiver.close();
      }
    } finally {
      if (hasEntered) {
        node.seal().leave();
      }
      node.left(this);
    }
  }

  private void converse() {
    try {
      LinkOptions.set(socket);
      Socket spoken = node.tls() == null ? socket : serveTls();
      stream = stream == null ? spoken.getInputStream() : stream;
      spinThenBlock = new SpinThenBlock(node.environment(), socket.getInputStream(), stream);
      replies = spoken.getOutputStream();
      if (handshake(new Transcript(Tls.binding(spoken)))) {
        serve();
      }
    } catch (EOFException e) {
      LOG.debug("{} closed its connection", socket.getRemoteSocketAddress());
    } catch (SSLException e) {
      if (!revoked && !isCut) {
        refused(NodeCounters.Refusal.TLS, e.getMessage());
      }
    } catch (IOException e) {
      if (!revoked) {
        LOG.debug("connection from {} lost: {}", socket.getRemoteSocketAddress(), e.toString());
      }
    } catch (UncheckedIOException e) {
      refused(NodeCounters.Refusal.RESOURCES, e.getMessage());
      refuseQuietly("the memory node cannot write to its disk");
    } catch (RedoFailedException e) {
      refused(NodeCounters.Refusal.RESOURCES, e.getMessage());
      out.clear(); // discard responses to frames that may not be in the log
      refuseQuietly(LOG_FAILED + e.getMessage());
    } catch (RuntimeException e) {
      refused(NodeCounters.Refusal.PROTOCOL, e.getMessage());
      refuseQuietly(e.getMessage());
    } catch (InternalError e) {
      LOG.error(
          "closing connection from {}: {}: {}",
          socket.getRemoteSocketAddress(),
          UNUSABLE,
          e.getMessage());
      refuseQuietly(UNUSABLE);
    } catch (Error e) {
      refuseQuietly("the memory node has no heap or no thread left for this connection: " + e);
      refused(NodeCounters.Refusal.RESOURCES, e.toString());
    }
  }

  /** Starts TLS, unless the peer has not: then it will be refused without encryption. */
  private Socket serveTls() throws IOException {
    int first = socket.getInputStream().read();
    if (first < 0) {
      throw new SSLException("the connection was lost before it was agreed on");
    }
    InputStream received = new ByteArrayInputStream(new byte[] {(byte) first});
    if (first == TLS_HANDSHAKE) {
      return node.tls().serve(socket, received);
    }
    isInTheClear = true;
    stream = new SequenceInputStream(received, socket.getInputStream());
    return socket;
  }

  private void refused(NodeCounters.Refusal why, String said) {
    node.refused(why, "closing connection from {}: {}", socket.getRemoteSocketAddress(), said);
  }

  /** Returns true if verbs may follow. */
  private boolean handshake(Transcript transcript) throws IOException {
    receive(Wire.HELLO);
    ByteBuffer hello = in.body();
    if (hello.getInt() != Wire.MAGIC) {
      throw new ProtocolException("it does not speak the protocol");
    }
    int version = hello.getInt();
    if (version != Wire.VERSION) {
      refused(NodeCounters.Refusal.VERSION, "it speaks protocol version " + version);
      refuse(
          "this memory node speaks protocol version "
              + Wire.VERSION
              + ", not "
              + version
              + ": use the same version of Nelumbo on both sides");
      return false;
    }
    if (isInTheClear) {
      refused(NodeCounters.Refusal.TLS, "it does not speak TLS");
      refuse("it requires TLS: set tls=true, and tlsTrust= unless the JVM trusts its certificate");
      return false;
    }
    transcript.add(in.frame());
    in.next();
    Wire.begin(out, Wire.WELCOME);
    out.put(Nonce.make(Wire.NONCE_LENGTH)).put(node.salt());
    out.putLong(node.demandsSecret() ? Wire.SECRET_DEMANDED : 0);
    transcript.add(Wire.end(out));
    write();
    return enter(transcript);
  }

  private boolean enter(Transcript transcript) throws IOException {
    byte type = receiveAny();
    ByteBuffer request = in.body();
    if (request.remaining() < Wire.PROOF_LENGTH) {
      throw new ProtocolException("received a frame without a proof type=" + type);
    }
    byte[] proof = new byte[Wire.PROOF_LENGTH];
    request.get(proof);
    transcript.addWithoutProof(in.frame());
    byte[] key = transcript.keyProven(proof, node.keys());
    if (key == null) {
      refused(NodeCounters.Refusal.SECRET, "it has a wrong secret");
      refuse(
          Wire.WRONG_SECRET,
          "the secret is wrong: set that of the memory node (its NELUMBO_SECRET or"
              + " --secret-file) as password=, or in a file as secretFile=",
          "");
      return false;
    }
    if (!node.welcome(this, type != Wire.JOIN && type != Wire.PEER)) {
      if (isCut) {
        return false;
      }
      refused(NodeCounters.Refusal.LIMIT, "the limit of connections is reached");
      refuse("it has reached its limit of connections");
      return false;
    }
    if (type == Wire.STATUS) {
      reply(Wire.STATUS_IS, node.status().getBytes(StandardCharsets.UTF_8), transcript, key);
      return false;
    }
    String loading = node.loading();
    if (loading != null) {
      refuse(Wire.LOADING, "is loading its pool from its disk: " + loading, "");
      return false;
    }
    if (node.isWitness() && type != Wire.AGREE) {
      refuse("it is a witness, which has no data: name it in witness=, not as one of the nodes");
      return false;
    }
    if (type == Wire.HEADER) {
      beginProven(Wire.HEADER_IS);
      node.putHeader(out);
      sendProven(transcript, key);
      return false;
    }
    if (type == Wire.AGREE) {
      reply(Wire.AGREE_IS, node.agree(Wire.getBytes(request)), transcript, key);
      return false;
    }
    if (type == Wire.CONFIGURATION) {
      reply(Wire.CONFIGURATION_IS, node.configuration(), transcript, key);
      return false;
    }
    if (node.log() != null && node.log().failure() != null) {
      refuse(Wire.BROKEN, LOG_FAILED + node.log().failure().getMessage(), "");
      return false;
    }
    return attach(type, request, transcript, key);
  }

  private boolean attach(byte type, ByteBuffer request, Transcript transcript, byte[] key)
      throws IOException {
    hasEntered = true;
    node.seal().enter();
    try {
      tenant = tenant(type, request);
      in.next();
    } catch (RefusedException e) {
      node.counters().countRefused(NodeCounters.Refusal.IN_USE);
      refuse(e.reason(), e.getMessage(), e.owner());
      return false;
    }
    if (type == Wire.PEER) {
      prepareForMessages();
    } else if (type == Wire.LOG) {
      prepareForLog();
    } else {
      prepare();
    }
    beginProven(Wire.ATTACHED);
    out.putLong(tenants.epoch()).putLong(node.bytes()).putLong(tenants.leaseNanos());
    out.putLong(node.log() == null ? 0 : node.log().id());
    if (node.rdma() != null) {
      out.putLong(Wire.VERBS_BY_RDMA);
    }
    sendProven(transcript, key);
    if (messages != null) {
      messages.start();
    }
    return true;
  }

  private Tenant tenant(byte type, ByteBuffer request) throws RefusedException {
    long id = request.getLong();
    if (id == 0) {
      throw new ProtocolException(
          "received a request of a compute node without an id type=" + type);
    }
    switch (type) {
      case Wire.ATTACH -> {
        long incarnation = request.getLong();
        if (incarnation == 0 && node.log() != null && node.hasPartInCopies()) {
          throw new RefusedException(
              Wire.OTHER_REASON,
              "it is one of several memory nodes of a pool with copies: name all of them, in order",
              "");
        }
        Tenant owner = tenants.attach(id, Wire.getText(request), incarnation, this);
        LOG.info("serving {} in epoch {}", owner.name, tenants.epoch());
        return owner;
      }
      case Wire.ENTER -> {
        Tenant entered = tenants.enter(id, Wire.getText(request), this);
        LOG.info("serving {}, too, in epoch {}", entered.name, tenants.epoch());
        return entered;
      }
      case Wire.REJOIN -> {
        Tenant back = tenants.rejoin(id, Wire.getText(request), this);
        LOG.info(
            "serving {}, which shares its pool with others, in epoch {}",
            back.name,
            tenants.epoch());
        return back;
      }
      case Wire.JOIN -> {
        return tenants.join(id, this);
      }
      case Wire.LOG -> {
        if (node.log() == null) {
          throw new ProtocolException("this memory node has no log");
        }
        return tenants.join(id, this);
      }
      case Wire.PEER -> {
        peer = new PeerId((int) request.getLong(), request.getLong());
        return tenants.join(id, this);
      }
      default -> throw new ProtocolException("received a frame of an unknown type type=" + type);
    }
  }

  private void reply(byte type, byte[] bytes, Transcript transcript, byte[] key)
      throws IOException {
    out = Wire.buffer(FIRST_BUFFER_LENGTH + bytes.length);
    beginProven(type);
    Wire.putBytes(out, bytes);
    sendProven(transcript, key);
  }

  private void beginProven(byte type) {
    Wire.begin(out, type);
    out.put(new byte[Wire.PROOF_LENGTH]);
  }

  private void sendProven(Transcript transcript, byte[] key) throws IOException {
    transcript.addWithoutProof(Wire.end(out));
    out.put(Wire.HEADER_LENGTH, transcript.proofOfNode(key));
    write();
  }

  /** Only an admitted peer gets the buffers. */
  private void prepare() {
    in.enlarge(Wire.FRAME_LENGTH_MAX, BUFFER_LENGTH);
    out = Wire.buffer(BUFFER_LENGTH);
    channel = node.openChannel(VerbFrame.STAGING_BYTES);
    verbs = new VerbFrame(channel);
  }

  /** Messages of other compute nodes are written after the response to PEER. */
  private void prepareForMessages() throws IOException {
    in.enlarge(Wire.MESSAGE_OFFSET + PeerNetwork.MESSAGE_BYTES_MAX, MESSAGE_BUFFER_LENGTH);
    socket.setSendBufferSize(MessageQueue.SOCKET_BYTES);
    messages = new MessageQueue(node.environment(), replies, this::close);
    node.relay().enter(peer, messages);
  }

  private void prepareForLog() throws IOException {
    in.enlarge(LOG_FRAME_LENGTH_MAX, BUFFER_LENGTH);
    out = Wire.buffer(LOG_REPLIES_LENGTH);
    receiver = node.log().receiver();
  }

  private void serve() throws IOException {
    try {
      while (!revoked) {
        if (!in.hasFrame()) {
          flushOut();
          flushMessages(null);
          fill();
        } else if (!execute()) {
          return;
        }
      }
    } finally {
      flushMessages(null);
    }
  }

  /** Returns false if this connection has ended. */
  private boolean execute() throws IOException {
    tenant.heard(node.environment().nanoTime());
    byte type = in.type();
    if (peer != null) {
      return relay(type);
    }
    if (receiver != null) {
      return append(type);
    }
    if (type == Wire.VERBS) {
      return executeVerbs();
    }
    if (QueuePairTable.isRequest(type)) {
      return executeForQueuePair();
    }
    if (!TenantRequests.isRequest(type)) {
      throw new ProtocolException("received a frame of an unknown type type=" + type);
    }
    flushOut();
    out = requests.reply(tenant, this, in.frame(), out);
    in.next();
    write();
    return type != Wire.LEAVE && !revoked;
  }

  /** Returns false if this connection was revoked meanwhile. */
  private boolean relay(byte type) {
    MessageQueue to = messages;
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      switch (type) {
        case Wire.SEND -> {
          messages.arrived(in.sequence());
          to = node.relay().forward(peer, messages, in.frame());
        }
        case Wire.BEAT -> messages.putBeat(in.sequence());
        default -> throw new ProtocolException("received a frame of an unknown type type=" + type);
      }
    } finally {
      executing.unlock();
    }
    in.next();
    flushMessages(to);
    return true;
  }

  /** Consecutive frames to the same compute node are written together. */
  private void flushMessages(MessageQueue next) {
    if (unflushed != null && unflushed != next) {
      unflushed.flush();
    }
    unflushed = next;
  }

  /**
   * Frames that have arrived together are forced together, before their responses. Returns false if
   * this connection was revoked meanwhile.
   */
  private boolean append(byte type) throws IOException {
    if (type == Wire.LOG_FILES) {
      return replyAboutFiles();
    }
    if (type != Wire.APPEND || in.frameLength() < Wire.LOG_FRAME_OFFSET) {
      throw new ProtocolException("received a frame of an unknown type type=" + type);
    }
    long sequence = in.sequence();
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      boolean isEmpty = in.frameLength() == Wire.LOG_FRAME_OFFSET;
      if (!isEmpty && !node.log().hasName()) {
        node.log().setName(node.poolName());
      }
      receiver.append(
          in.body().getLong(),
          in.bytes(),
          in.offset() + Wire.LOG_FRAME_OFFSET,
          in.frameLength() - Wire.LOG_FRAME_OFFSET,
          (in.count() & Wire.FORCED) != 0);
    } finally {
      executing.unlock();
    }
    in.next();
    if (out.remaining() < Wire.HEADER_LENGTH) {
      flushOut();
    }
    out.putInt(Wire.HEADER_LENGTH).put(Wire.RESULTS).put((byte) 0).putShort((short) 0);
    out.putLong(sequence);
    return true;
  }

  private boolean replyAboutFiles() throws IOException {
    flushOut();
    long sequence = in.sequence();
    byte[] reply;
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      reply = receiver.reply(Wire.getBytes(in.body()));
    } finally {
      executing.unlock();
    }
    in.next();
    out = Wire.buffer(Math.max(LOG_REPLIES_LENGTH, FIRST_BUFFER_LENGTH + reply.length));
    Wire.begin(out, Wire.RESULTS);
    out.putLong(Wire.SEQUENCE_OFFSET, sequence);
    Wire.putBytes(out, reply);
    Wire.end(out);
    write();
    return true;
  }

  private boolean executeForQueuePair() throws IOException {
    flushOut();
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      queuePairs.reply(in.frame(), out);
    } finally {
      executing.unlock();
    }
    in.next();
    write();
    return true;
  }

  private void closeQueuePairs() {
    executing.lock();
    try {
      queuePairs.close();
    } finally {
      executing.unlock();
    }
  }

  private boolean executeVerbs() throws IOException {
    long sequence = in.sequence();
    if (node.rdma() != null && in.count() > 0) {
      throw new ProtocolException(
          "this memory node serves its memory over RDMA only: atomics of its processor and"
              + " of its device are not atomic with each other");
    }
    executing.lock();
    try {
      if (revoked) {
        return false;
      }
      verbs.execute(in.bytes(), in.offset(), in.frameLength(), in.count());
    } finally {
      executing.unlock();
    }
    in.next();
    node.counters().countFrame();
    putResults(sequence);
    return true;
  }

  private void putResults(long sequence) throws IOException {
    int length = Wire.HEADER_LENGTH + verbs.resultBytes();
    if (out.remaining() < length) {
      flushOut();
      if (out.capacity() < length) {
        out = Wire.buffer(Math.max(length, 2 * out.capacity()));
      }
    }
    out.putInt(length).put(Wire.RESULTS).put((byte) 0).putShort((short) 0).putLong(sequence);
    verbs.putResults(out);
  }

  private void flushOut() throws IOException {
    if (out.position() > 0) {
      if (receiver != null) {
        receiver.awaitForced();
      }
      node.counters().countSent(out.position());
      replies.write(Wire.array(out), 0, out.position());
      out.clear();
    }
  }

  private void receive(byte type) throws IOException {
    if (receiveAny() != type) {
      throw new ProtocolException("it does not speak the protocol");
    }
  }

  private byte receiveAny() throws IOException {
    while (!in.hasFrame()) {
      fill();
    }
    return in.type();
  }

  private void fill() throws IOException {
    spinThenBlock.await();
    node.counters().countReceived(in.fill(stream));
  }

  private void refuse(String why) throws IOException {
    refuse(Wire.OTHER_REASON, why, "");
  }

  private void refuse(short reason, String why, String owner) throws IOException {
    if (out.capacity() < Wire.REFUSED_LENGTH_MAX) {
      out = Wire.buffer(Wire.REFUSED_LENGTH_MAX);
    }
    Wire.begin(out, Wire.REFUSED);
    out.putShort(Wire.COUNT_OFFSET, reason);
    Wire.putText(out, why);
    Wire.putText(out, owner);
    Wire.end(out);
    write();
  }

  private void refuseQuietly(String why) {
    if (replies == null || messages != null) {
      return;
    }
    try {
      refuse(String.valueOf(why));
    } catch (IOException e) {
      // the connection is lost already
    }
  }

  private void write() throws IOException {
    node.counters().countSent(out.limit());
    replies.write(Wire.array(out), 0, out.limit());
    out.clear();
  }

  @Override
  public void revoke() {
    revoked = true;
    executing.lock();
    try {
      close();
      queuePairs.close();
    } finally {
      executing.unlock();
    }
  }

  @Override
  public boolean isRevoked() {
    return revoked;
  }

  @Override
  public InetAddress address() {
    return socket.getInetAddress();
  }

  @Override
  public void cut(NodeCounters.Refusal why) {
    isCut = true;
    revoked = true;
    close();
    refused(
        why,
        why == NodeCounters.Refusal.LIMIT
            ? "it has not authenticated, and there are many new connections"
            : "it takes too long to authenticate");
  }

  @Override
  public void end() {
    revoke();
  }

  private void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // the socket is discarded in any case
    }
  }
}
