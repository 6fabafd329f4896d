package org.nelumbo.examples.springboot;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells what there is: both statements are one transaction. */
@Service
public class Sales {
  private final JdbcClient client;

  Sales(JdbcClient client) {
    this.client = client;
  }

  /** Takes an amount of an item out of the stock. */
  @Transactional
  public void sell(String item, int amount) {
    client
        .sql(
            "INSERT INTO sale (item_id, amount) SELECT id, CAST(:amount AS INTEGER) FROM item"
                + " WHERE name = :item")
        .param("item", item)
        .param("amount", amount)
        .update();
    client
        .sql("UPDATE item SET stock = stock - :amount WHERE name = :item")
        .param("item", item)
        .param("amount", amount)
        .update();
  }
}
