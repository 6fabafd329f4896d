package org.nelumbo.simulation.figure;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.nelumbo.simulation.fabric.FabricModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nelumbo sim figure}: published figures beside those of the model of the network. */
@Command(
    name = "figure",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the verbs of published systems in the model of their network, and prints the results",
      "beside the published ones. docs/benchmarks/scale-out.md explains the model."
    })
public final class FigureCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FIGURE",
      arity = "0..*",
      description = "lotus-2, lotus-3, lotus-12; all if there are none")
  private List<String> names = List.of();

  @Option(
      names = "--millis",
      paramLabel = "N",
      description =
          "measured virtual time of each point in milliseconds (default: ${DEFAULT-VALUE})",
      defaultValue = "3")
  private int millis;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "override a key of the model lotus-56g; can be repeated")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the worlds (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private long seed;

  @Override
  public Integer call() {
    if (millis < 1) {
      throw new ParameterException(spec.commandLine(), "--millis must be at least 1");
    }
    FabricModel model = model();
    PrintWriter out = spec.commandLine().getOut();
    for (PublishedFigure figure : figures()) {
      out.println(figure.title());
      figure.print(out, model, TimeUnit.MILLISECONDS.toNanos(millis), seed);
    }
    out.flush();
    return 0;
  }

  private List<PublishedFigure> figures() {
    List<PublishedFigure> all = Arrays.asList(PublishedFigure.values());
    List<String> known = all.stream().map(PublishedFigure::title).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "unknown figure '"
                + name
                + "'; there are "
                + known.stream().collect(Collectors.joining(", ")));
      }
    }
    return names.isEmpty()
        ? all
        : all.stream().filter(each -> names.contains(each.title())).toList();
  }

  private FabricModel model() {
    try {
      return FabricModel.preset("lotus-56g").with(settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
