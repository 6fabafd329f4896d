package org.nelumbo.dm.fabric.tcp;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct connections between compute nodes, in addition to the path through memory nodes: a message
 * needs half the hops. A direct connection is opened as follows.
 *
 * <ol>
 *   <li>Of two compute nodes the one with the lower number listens. When it receives a message of
 *       the other one, it offers an address and a token through a memory node.
 *   <li>The other compute node connects and sends the token, which is valid once.
 *   <li>Both prove that they know the secret.
 * </ol>
 *
 * <p>No function depends on such a connection: a message that it does not accept goes through
 * memory nodes. A connection that is silent for a second is closed, and offered again after a
 * pause. Thread-safe.
 */
final class DirectLinks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectLinks.class);

  /** Result if there is no port. */
  static final int NO_PORT = -1;

  private static final int TOKEN_LENGTH = Wire.SALT_LENGTH;

  /**
   * Length of a DIRECT frame: proof, number of the compute node (8), its incarnation (8), token.
   */
  private static final int DIRECT_LENGTH =
      Wire.HEADER_LENGTH + Wire.PROOF_LENGTH + 2 * Long.BYTES + TOKEN_LENGTH;

  private static final int DIRECT_IS_LENGTH = Wire.HEADER_LENGTH + Wire.PROOF_LENGTH;

  private static final int CONNECT_MILLIS = 1000;
  private static final long BEAT_NANOS = 250_000_000L;
  private static final long SHORTEST_PAUSE_NANOS = 1_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

  /**
   * Maximum number of connections, including those whose other side has not proven anything yet.
   */
  private static final int LINKS_MAX = 256;

  private final Environment environment;
  private final PeerId self;
  private final Secrets secrets;
  private final int port;
  private final Relay relay;
  private final BiConsumer<PeerId, ByteBuffer> receiver;
  private final Map<PeerId, MessageLink> links = new ConcurrentHashMap<>();
  private final Set<Direct> all = ConcurrentHashMap.newKeySet();

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<PeerId, Offer> offers = new HashMap<>();
  private ServerSocket listener;
  private BackgroundThread acceptor;
  private boolean isClosed;

  /** The path through memory nodes. */
  interface Relay {
    boolean offer(PeerId to, ByteBuffer offer);

    /**
     * Returns the local address of a connection to a memory node, or null. Memory nodes see the
     * same address if no translation is in between.
     */
    InetAddress localAddress();
  }

  private static final class Offer {
    /** Null once it was used. */
    byte[] token;

    long nextNanos;
    long pauseNanos = SHORTEST_PAUSE_NANOS;
  }

  private final class Direct implements MessageLink.Entrance, MessageLink.Sink {
    private final MessageLink link;
    private final Socket wire;

    /** Address to connect to; null if the other side has connected. */
    private final InetSocketAddress address;

    private final byte[] token;
    private PeerId other;
    private boolean isOpened;

    Direct(Socket wire, PeerId other, InetSocketAddress address, byte[] token) {
      this.wire = wire;
      this.other = other;
      this.address = address;
      this.token = token;
      this.link = new MessageLink(environment, "nelumbo-messages-direct", this, this, BEAT_NANOS);
    }

    @Override
    public Handshake.Attached enter() {
      if (isOpened) {
        return null;
      }
      isOpened = true;
      try {
        LinkOptions.set(wire);
        wire.setSoTimeout(CONNECT_MILLIS);
        if (address == null) {
          other = accept(wire);
        } else {
          wire.connect(address, CONNECT_MILLIS);
          connect(wire, token);
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("no direct connection of {} with {}: {}", self, other, e.toString());
        close();
        return null;
      }
      LOG.debug("direct connection of {} with {}", self, other);
      MessageLink before = links.put(other, link);
      if (before != null) {
        before.end();
      }
      return new Handshake.Attached(wire, wire, 0, 0, 0, 0, false);
    }

    @Override
    public void received(PeerId from, ByteBuffer message) {
      receiver.accept(other, message);
    }

    @Override
    public void offered(PeerId from, ByteBuffer offer) {
      // there is a connection already
    }

    @Override
    public void absent(PeerId peer) {
      // only memory nodes report that
    }

    @Override
    public void ended(boolean isRevoked) {
      close();
      if (other != null) {
        links.remove(other, link);
      }
      all.remove(this);
    }

    void end() {
      link.end();
      close();
    }

    private void close() {
      try {
        wire.close();
      } catch (IOException e) {
        // the socket is discarded in any case
      }
    }
  }

  /**
   * Creates an instance without connections.
   *
   * @param port port to listen at, 0 for any
   * @param receiver consumer of messages
   */
  DirectLinks(
      Environment environment,
      PeerId self,
      Secrets secrets,
      int port,
      Relay relay,
      BiConsumer<PeerId, ByteBuffer> receiver) {
    this.environment = environment;
    this.self = self;
    this.secrets = secrets;
    this.port = port;
    this.relay = relay;
    this.receiver = receiver;
  }

  /** Sends a message; returns false if it is lost, or there is no connection. */
  boolean send(PeerId to, ByteBuffer message) {
    MessageLink link = links.get(to);
    return link != null && link.send(to, message);
  }

  /** Returns true if there is a connection. */
  boolean isConnected(PeerId to) {
    MessageLink link = links.get(to);
    return link != null && link.isConnected();
  }

  /** Returns the port of the listener; -1 if this compute node does not listen. */
  int port() {
    lock.lock();
    try {
      return listener == null ? NO_PORT : listener.getLocalPort();
    } finally {
      lock.unlock();
    }
  }

  // The side that listens.

  /** Offers a connection to a compute node whose message has arrived through a memory node. */
  void heard(PeerId from) {
    if (from.node() <= self.node() || links.containsKey(from)) {
      return;
    }
    InetAddress address = relay.localAddress();
    ByteBuffer bytes = null;
    lock.lock();
    try {
      Offer offer = isClosed || address == null ? null : dueOffer(from);
      if (offer != null && listen(address)) {
        offer.token = Nonce.make(TOKEN_LENGTH);
        byte[] host = address.getAddress();
        bytes = ByteBuffer.allocate(Integer.BYTES + TOKEN_LENGTH + host.length);
        bytes.putInt(listener.getLocalPort()).put(offer.token).put(host).flip();
      }
    } finally {
      lock.unlock();
    }
    if (bytes != null) {
      relay.offer(from, bytes);
    }
  }

  /** Returns null if the last offer is recent. */
  private Offer dueOffer(PeerId to) {
    assert lock.isHeldByCurrentThread();
    long now = environment.nanoTime();
    if (offers.size() >= LINKS_MAX && !offers.containsKey(to)) {
      offers.clear();
    }
    Offer offer = offers.computeIfAbsent(to, _ -> new Offer());
    if (offer.nextNanos != 0 && now - offer.nextNanos < 0) {
      return null;
    }
    offer.nextNanos = now + offer.pauseNanos;
    offer.pauseNanos = Math.min(2 * offer.pauseNanos, LONGEST_PAUSE_NANOS);
    return offer;
  }

  /**
   * Listens at the address from which this compute node reaches memory nodes, unless it listens
   * already.
   */
  private boolean listen(InetAddress address) {
    assert lock.isHeldByCurrentThread();
    if (listener != null) {
      return true;
    }
    try {
      ServerSocket opened = new ServerSocket();
      listener = opened;
      opened.setReuseAddress(true);
      opened.bind(new InetSocketAddress(address, port));
      acceptor =
          new BackgroundThread(environment, "nelumbo-messages-accept", () -> acceptAll(opened));
      acceptor.start();
      return true;
    } catch (IOException | RuntimeException | Error e) {
      LOG.info(
          "cannot listen at {} port {}, so messages of other compute nodes are relayed by"
              + " memory nodes: {}",
          address,
          port,
          e.toString());
      closeListener();
      isClosed = true;
      return false;
    }
  }

  private void acceptAll(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        start(new Direct(from.accept(), null, null, null));
      } catch (IOException e) {
        environment.parkNanos(BEAT_NANOS); // the listener is closed, or no file descriptor is left
      }
    }
  }

  /** Verifies that the other side has the offered token and knows the secret; proves the same. */
  private PeerId accept(Socket wire) throws IOException {
    ByteBuffer frame = read(wire, Wire.DIRECT, DIRECT_LENGTH);
    byte[] proof = new byte[Wire.PROOF_LENGTH];
    frame.position(Wire.HEADER_LENGTH).get(proof);
    PeerId from = new PeerId((int) frame.getLong(), frame.getLong());
    byte[] said = new byte[TOKEN_LENGTH];
    frame.get(said);
    if (!isOffered(from, said)) {
      throw new IOException("the token was not offered to " + from);
    }
    Transcript transcript = new Transcript(new byte[0]);
    transcript.addWithoutProof(frame.rewind());
    List<byte[]> keys = secrets.isEmpty() ? List.of(new byte[0]) : secrets.keys(said);
    byte[] key = transcript.keyProven(proof, keys);
    if (key == null) {
      throw new IOException(from + " has a wrong secret");
    }
    ByteBuffer reply = Wire.buffer(DIRECT_IS_LENGTH);
    Wire.begin(reply, Wire.DIRECT_IS);
    reply.put(new byte[Wire.PROOF_LENGTH]);
    transcript.addWithoutProof(Wire.end(reply));
    reply.put(Wire.HEADER_LENGTH, transcript.proofOfNode(key));
    wire.getOutputStream().write(Wire.array(reply), 0, reply.limit());
    return from;
  }

  private boolean isOffered(PeerId from, byte[] said) {
    lock.lock();
    try {
      Offer offer = offers.get(from);
      if (offer == null || offer.token == null || !MessageDigest.isEqual(offer.token, said)) {
        return false;
      }
      offer.token = null;
      offer.pauseNanos = SHORTEST_PAUSE_NANOS;
      return true;
    } finally {
      lock.unlock();
    }
  }

  // The side that connects.

  /** Connects to the address that another compute node offers. */
  void offered(PeerId from, ByteBuffer offer) {
    int hostLength = offer.remaining() - Integer.BYTES - TOKEN_LENGTH;
    if (from.node() >= self.node()
        || links.containsKey(from)
        || hostLength != 4 && hostLength != 16) {
      return;
    }
    int portThere = offer.getInt() & 0xFFFF;
    byte[] token = new byte[TOKEN_LENGTH];
    offer.get(token);
    byte[] host = new byte[hostLength];
    offer.get(host);
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(host), portThere);
      start(new Direct(new Socket(), from, address, token));
    } catch (IOException e) {
      LOG.debug("no direct connection with {}", from, e);
    }
  }

  private void connect(Socket wire, byte[] token) throws IOException {
    List<String> known = secrets.current();
    byte[] key = known.isEmpty() ? new byte[0] : secrets.key(known.getFirst(), token);
    ByteBuffer frame = Wire.buffer(DIRECT_LENGTH);
    Wire.begin(frame, Wire.DIRECT);
    frame.put(new byte[Wire.PROOF_LENGTH]).putLong(self.node()).putLong(self.incarnation());
    frame.put(token);
    Transcript transcript = new Transcript(new byte[0]);
    transcript.addWithoutProof(Wire.end(frame));
    frame.put(Wire.HEADER_LENGTH, transcript.proofOfClient(key));
    wire.getOutputStream().write(Wire.array(frame), 0, frame.limit());
    ByteBuffer reply = read(wire, Wire.DIRECT_IS, DIRECT_IS_LENGTH);
    transcript.addWithoutProof(reply);
    byte[] proof = new byte[Wire.PROOF_LENGTH];
    reply.position(Wire.HEADER_LENGTH).get(proof);
    if (!MessageDigest.isEqual(proof, transcript.proofOfNode(key))) {
      throw new IOException("it has a wrong secret");
    }
  }

  private static ByteBuffer read(Socket wire, byte type, int length) throws IOException {
    ByteBuffer frame = Wire.buffer(length);
    new DataInputStream(wire.getInputStream()).readFully(Wire.array(frame));
    if (frame.getInt(0) != length || frame.get(Wire.TYPE_OFFSET) != type) {
      throw new EOFException("it does not speak the protocol");
    }
    return frame;
  }

  // Both sides.

  private void start(Direct direct) {
    boolean isStarted = false;
    lock.lock();
    try {
      if (!isClosed && all.size() < LINKS_MAX) {
        all.add(direct);
        direct.link.start();
        isStarted = true;
      }
    } catch (RuntimeException | Error e) {
      LOG.debug("no thread for a direct connection", e);
    } finally {
      lock.unlock();
    }
    if (!isStarted) {
      all.remove(direct);
      direct.close();
    }
  }

  private void closeListener() {
    assert lock.isHeldByCurrentThread();
    try {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException e) {
      // the listener is discarded in any case
    }
  }

  /** Ends all connections and opens no more; does not wait. */
  void end() {
    lock.lock();
    try {
      isClosed = true;
      closeListener();
      if (acceptor != null) {
        acceptor.stop();
      }
    } finally {
      lock.unlock();
    }
    all.forEach(Direct::end);
  }

  /** Returns when the receiver gets no more calls. */
  @Override
  public void close() {
    List<Direct> open = List.copyOf(all);
    end();
    open.forEach(each -> each.link.close());
    if (acceptor != null) {
      acceptor.join();
    }
  }
}
