package io.summarizer.dsl.check;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.parse.Ast;
import io.summarizer.dsl.parse.SummReader;
import io.summarizer.dsl.proto.DefinitionFolder;
import io.summarizer.dsl.proto.ProtoFiles;
import io.summarizer.dsl.proto.ProtoTypes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks a folder of definitions. All {@code .summ} files directly in the folder share one namespace. For bad input, a
 * check returns all errors at once and throws nothing. Stateless; any thread.
 */
public final class DefinitionsCompiler {
    /** Maximum number of events, of summaries, and of mappings. With this bound, comparisons of all pairs stay fast. */
    static final int MAX_DECLARATIONS = 1000;

    private DefinitionsCompiler() {}

    /** Checks the folder. */
    public static CheckResult check(Path folder) {
        return check(new DiskFolder(folder), new Diagnostics());
    }

    /**
     * Checks files that are not on disk. The map has the texts of {@code .summ} and {@code .proto} files by file name.
     */
    public static CheckResult check(Map<String, String> files) {
        return check(new MemoryFolder(files), new Diagnostics());
    }

    /**
     * Checks files whose definitions were in use before. An error that earlier versions of the checker did not report
     * becomes a warning.
     */
    public static CheckResult checkKept(Map<String, String> files) {
        return check(new MemoryFolder(files), new Diagnostics(true));
    }

    private static CheckResult check(DefinitionFolder read, Diagnostics diagnostics) {
        RecordingFolder folder = new RecordingFolder(read);
        List<Ast.File> files = read(folder, diagnostics);
        boolean incomplete = files.stream().anyMatch(Ast.File::incomplete);

        ProtoFiles protos = new ProtoFiles(folder, diagnostics);
        for (Ast.File file : files) {
            for (Ast.Declaration declaration : file.declarations()) {
                if (declaration instanceof Ast.Import imported) {
                    addImport(protos, imported, diagnostics);
                }
            }
        }
        ProtoTypes types = protos.link();
        Events events = new EventChecker(types, incomplete, diagnostics).check(files);
        Map<String, SummaryShape> summaries = new SummaryChecker(diagnostics).check(files);
        List<Mapping> mappings = mappings(files, events, summaries, incomplete, diagnostics);
        if (!diagnostics.isEmpty()) {
            return new CheckResult(
                    Optional.empty(),
                    diagnostics.sorted(),
                    diagnostics.count(),
                    diagnostics.warnings(),
                    folder.files(),
                    folder.isReadable());
        }
        List<SummaryLayout> layouts = new ArrayList<>();
        summaries.forEach((name, shape) -> layouts.add(shape.layout(name, 0)));
        // Summaries that take overflow come after the declared summaries, so that the declared summaries keep their
        // numbers.
        layouts.addAll(layouts.stream()
                .filter(SummaryLayout::overflows)
                .map(SummaryLayout::overflow)
                .toList());
        Definitions definitions = new Definitions(events.eventTypes(), layouts, mappings);
        return new CheckResult(
                Optional.of(definitions), List.of(), 0, diagnostics.warnings(), folder.files(), folder.isReadable());
    }

    private static List<Ast.File> read(DefinitionFolder folder, Diagnostics diagnostics) {
        List<Ast.File> files = new ArrayList<>();
        Span whole = Span.of(new Source(folder.name(), ""));
        try {
            List<String> names = folder.definitions();
            if (names.isEmpty()) {
                diagnostics.warning(whole, "there is no .summ file in this folder, so no message is an event");
            }
            for (String name : names) {
                try {
                    Optional<Source> source = folder.read(name);
                    source.ifPresent(found -> files.add(SummReader.read(found, diagnostics)));
                } catch (IOException e) {
                    Source unread = new Source(folder.name() + "/" + name, "");
                    diagnostics.error(Span.of(unread), "the file " + e.getMessage());
                    files.add(new Ast.File(unread, List.of(), true));
                }
            }
        } catch (IOException e) {
            diagnostics.error(whole, "the folder " + e.getMessage());
        }
        return files;
    }

    private static void addImport(ProtoFiles protos, Ast.Import imported, Diagnostics diagnostics) {
        Ast.Text path = imported.path();
        if (path.isBroken()) {
            protos.fail();
        } else if (path.value().endsWith(".proto")) {
            protos.add(path.span(), path.value());
        } else if (path.value().endsWith(".summ")) {
            diagnostics.error(
                    path.span(),
                    "a .summ file is not imported",
                    "all .summ files of a folder share their definitions; remove the import");
        } else {
            diagnostics.error(path.span(), "only .proto files are imported");
        }
    }

    private static List<Mapping> mappings(
            List<Ast.File> files,
            Events events,
            Map<String, SummaryShape> summaries,
            boolean incomplete,
            Diagnostics diagnostics) {
        List<String> summaryNames = List.copyOf(summaries.keySet());
        Map<String, Integer> pairs = new HashMap<>();
        List<Mapping> mappings = new ArrayList<>();
        int count = 0;
        for (Ast.File file : files) {
            for (Ast.Declaration declaration : file.declarations()) {
                if (!(declaration instanceof Ast.Map map)) {
                    continue;
                }
                if (++count > MAX_DECLARATIONS) {
                    diagnostics.error(map.span(), "too many mappings; at most " + MAX_DECLARATIONS);
                    return mappings;
                }
                Ast.Name summaryName = map.summary();
                SummaryShape shape = summaries.get(summaryName.text());
                if (shape == null && !incomplete) {
                    diagnostics.error(
                            summaryName.span(),
                            "unknown summary `" + summaryName.text() + "`",
                            Suggestions.help(summaryName.text(), summaryNames, "there are"));
                }
                Event event = events.find(map.event());
                MappingChecker checker = new MappingChecker(diagnostics, event, shape, map);
                MappingChecker.Checked checked = checker.check();
                if (event != null && shape != null) {
                    String pair = event.name() + "->" + summaryName.text();
                    int number = pairs.merge(pair, 1, Integer::sum);
                    mappings.add(new Mapping(
                            number == 1 ? pair : pair + "#" + number,
                            event.position(),
                            summaryNames.indexOf(summaryName.text()),
                            checked.topic(),
                            checked.where(),
                            checked.body(),
                            checked.origin()));
                }
            }
        }
        return mappings;
    }
}
