package io.summarizer.dsl.parse;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.atn.ATN;
import org.antlr.v4.runtime.atn.ATNState;
import org.antlr.v4.runtime.atn.RuleStopState;
import org.antlr.v4.runtime.atn.RuleTransition;
import org.antlr.v4.runtime.atn.Transition;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds all tokens that would have been correct at the place of an error. ANTLR itself knows only the tokens of its
 * current state. Before this state, ANTLR may have passed optional parts, and the tokens of these parts would also have
 * been correct. This class runs the grammar's automaton again from the start of the rule, along all paths at the same
 * time.
 */
final class ExpectedTokens {
    /**
     * A path through the grammar: a state and the states to return to. Rules recurse only through brackets, and the
     * depth of brackets was bounded before. So the number of states to return to is bounded, too.
     */
    private record Way(ATNState state, @Nullable Return stack) {}

    private record Return(ATNState to, @Nullable Return outer) {}

    private ExpectedTokens() {}

    /** The tokens that would be correct in place of token {@code at}, in a rule that began at token {@code start}. */
    static IntervalSet of(ATN atn, int rule, TokenStream tokens, int start, int at) {
        Set<Way> ways = close(Set.of(new Way(atn.ruleToStartState[rule], null)));
        for (int i = start; i < at; i++) {
            Token token = tokens.get(i);
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                ways = close(after(ways, token.getType(), atn.maxTokenType));
            }
        }
        IntervalSet expected = new IntervalSet();
        for (Way way : ways) {
            for (Transition transition : way.state.getTransitions()) {
                if (transition.label() != null) {
                    expected.addAll(transition.label());
                }
            }
        }
        return expected;
    }

    private static Set<Way> after(Set<Way> ways, int type, int maxType) {
        Set<Way> next = new HashSet<>();
        for (Way way : ways) {
            for (Transition transition : way.state.getTransitions()) {
                if (!transition.isEpsilon() && transition.matches(type, Token.MIN_USER_TOKEN_TYPE, maxType)) {
                    next.add(new Way(transition.target, way.stack));
                }
            }
        }
        return next;
    }

    private static Set<Way> close(Set<Way> ways) {
        Set<Way> closed = new HashSet<>(ways);
        Deque<Way> open = new ArrayDeque<>(ways);
        while (!open.isEmpty()) {
            for (Way next : silently(open.pop())) {
                if (closed.add(next)) {
                    open.push(next);
                }
            }
        }
        return closed;
    }

    /** The paths that can be reached from {@code way} without consuming a token. */
    private static List<Way> silently(Way way) {
        if (way.state instanceof RuleStopState) {
            return way.stack == null ? List.of() : List.of(new Way(way.stack.to, way.stack.outer));
        }
        List<Way> next = new ArrayList<>();
        for (Transition transition : way.state.getTransitions()) {
            if (transition instanceof RuleTransition call) {
                next.add(new Way(call.target, new Return(call.followState, way.stack)));
            } else if (transition.isEpsilon()) {
                next.add(new Way(transition.target, way.stack));
            }
        }
        return next;
    }
}
