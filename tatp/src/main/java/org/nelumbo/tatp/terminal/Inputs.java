package org.nelumbo.tatp.terminal;

import org.nelumbo.benchmark.data.RandomValues;

/** The inputs of the seven transactions. Each transaction draws the inputs that it needs. */
public final class Inputs {
  private static final int TYPES = 4;
  private static final int NUMBER_LENGTH = 15;

  private final RandomValues random;
  private final Subscribers subscribers;
  private int subscriber;
  private String telephoneNumber;
  private int type;
  private int bit;
  private int data;
  private int location;
  private int startTime;
  private int endTime;
  private String destination;

  public Inputs(RandomValues random, Subscribers subscribers) {
    this.random = random;
    this.subscribers = subscribers;
  }

  /** Draws a subscriber by its number. */
  public void drawSubscriber() {
    subscriber = subscribers.draw(random);
  }

  /** Draws a subscriber by its telephone number. */
  public void drawTelephoneNumber() {
    telephoneNumber = Subscribers.telephoneNumber(subscribers.draw(random));
  }

  /** Draws a type of access info or special facility. */
  public void drawType() {
    type = random.uniform(1, TYPES);
  }

  /** Draws a bit and a byte to write. */
  public void drawBitAndData() {
    bit = random.uniform(0, 1);
    data = random.uniform(0, 255);
  }

  public void drawLocation() {
    location = random.uniform(1, Integer.MAX_VALUE - 1);
  }

  /** Draws the start time and the end time of a call forwarding. */
  public void drawTimes() {
    drawStartTime();
    endTime = random.uniform(1, 24);
  }

  /** Draws the start time of a call forwarding. */
  public void drawStartTime() {
    startTime = 8 * random.uniform(0, 2);
  }

  /** Draws the number to which calls are forwarded. */
  public void drawDestination() {
    destination = random.digits(NUMBER_LENGTH);
  }

  public int subscriber() {
    return subscriber;
  }

  public String telephoneNumber() {
    return telephoneNumber;
  }

  public int type() {
    return type;
  }

  public int bit() {
    return bit;
  }

  public int data() {
    return data;
  }

  public int location() {
    return location;
  }

  public int startTime() {
    return startTime;
  }

  public int endTime() {
    return endTime;
  }

  public String destination() {
    return destination;
  }
}
