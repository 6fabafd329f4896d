package org.nelumbo.simulation.fabric;

/**
 * The network between one compute node and one memory node. It may be cut for a while, one way or
 * both: then what is sent that way is lost, and nobody is told.
 */
public final class SimLink {
  private boolean losesRequests;
  private boolean losesAnswers;

  /** Loses what is sent from now on, until it is {@link #heal healed}. */
  public void cut(boolean requests, boolean answers) {
    losesRequests = requests;
    losesAnswers = answers;
  }

  /** Loses nothing any more. */
  public void heal() {
    losesRequests = false;
    losesAnswers = false;
  }

  /** Whether what the compute node sends gets there. */
  public boolean carriesRequests() {
    return !losesRequests;
  }

  /** Whether what the memory node sends gets there. */
  public boolean carriesAnswers() {
    return !losesAnswers;
  }

  /** Whether it carries what is sent, both ways. */
  public boolean isWhole() {
    return carriesRequests() && carriesAnswers();
  }
}
