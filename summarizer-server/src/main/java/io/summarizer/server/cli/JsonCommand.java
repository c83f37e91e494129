package io.summarizer.server.cli;

/** A command with the option {@code --json}. */
abstract class JsonCommand extends Subcommand {
    final JsonOption json = new JsonOption();
}
