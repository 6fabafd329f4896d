package org.nelumbo.simulation.fabric;

/**
 * The network between one compute node and one memory node. It may be cut for a while, in one
 * direction or both: messages in that direction are then lost without an error.
 */
public final class SimLink {
  private boolean losesRequests;
  private boolean losesReplies;

  /** Loses messages from now on, until the link is {@link #heal healed}. */
  public void cut(boolean requests, boolean replies) {
    losesRequests = requests;
    losesReplies = replies;
  }

  /** Restores both directions. */
  public void heal() {
    losesRequests = false;
    losesReplies = false;
  }

  /** Returns true if requests of the compute node arrive. */
  public boolean carriesRequests() {
    return !losesRequests;
  }

  /** Returns true if replies of the memory node arrive. */
  public boolean carriesReplies() {
    return !losesReplies;
  }

  /** Returns true if messages arrive in both directions. */
  public boolean isWhole() {
    return carriesRequests() && carriesReplies();
  }
}
