package org.nelumbo.simulation.fabric;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.simulation.world.SimNode;

/** The network cards of the compute nodes of a pool. */
public final class ClientCards {
  private final FabricModel model;
  private final Map<SimNode, Card> cards = new HashMap<>();

  public ClientCards(FabricModel model) {
    this.model = model;
  }

  Card of(SimNode node) {
    return cards.computeIfAbsent(node, _ -> new Card(model));
  }
}
