package org.nelumbo.examples.springboot;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A service that sells items from the stock. */
@Service
public class Sales {
  private final JdbcClient client;

  Sales(JdbcClient client) {
    this.client = client;
  }

  /** Records a sale of an item and reduces its stock, in one transaction. */
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
