package org.nelumbo.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An example of Spring Boot: a shop whose tables {@code schema.sql} creates. */
@SpringBootApplication
public class Shop {
  /** Runs the example. */
  public static void main(String[] arguments) {
    try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, arguments)) {
      Sales sales = context.getBean(Sales.class);
      JdbcClient client = context.getBean(JdbcClient.class);
      client.sql("INSERT INTO item (name, stock) VALUES ('lotus', 5), ('pond', 1)").update();
      sales.sell("lotus", 2);
      try {
        sales.sell("pond", 2);
      } catch (DataIntegrityViolationException e) {
        System.out.println("not sold: there are not so many");
      }
      client
          .sql(
              "SELECT name, stock, (SELECT COUNT(*) FROM sale WHERE item_id = item.id) AS sales"
                  + " FROM item ORDER BY name")
          .query()
          .listOfRows()
          .forEach(System.out::println);
    }
  }
}
