package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options that override the file of a scenario, for the commands that run one. A picocli mixin.
 */
final class SettingOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "override a key of the scenario file; can be repeated")
  private Map<String, String> settings = new LinkedHashMap<>();

  /** Returns the given settings, overridden by {@code more}. */
  Map<String, String> with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putAll(more);
    return all;
  }

  /**
   * Loads the scenario {@link #with} these settings.
   *
   * @throws ParameterException if there is no such scenario, or a setting is invalid or unknown
   */
  Scenario load(String nameOrFile, Map<String, String> more, boolean isAdverse) {
    try {
      return Scenario.load(nameOrFile, with(more), isAdverse);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("the scenario cannot be read", e);
    }
  }
}
