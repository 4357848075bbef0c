import { type Fact, hiddenRanges, isHidden, type Undo } from '#kernel';

/**
 * The facts that a model may be shown: without the rounds that were undone. What the user changed of the settings
 * meanwhile is in force, so it stays visible.
 */
export function visibleFacts(facts: Iterable<Fact>, undo: Undo): Iterable<Fact> {
  const hidden = hiddenRanges(undo, 'chat');
  return hidden.length === 0 ? facts : without(hidden, facts);
}

function* without(hidden: ReturnType<typeof hiddenRanges>, facts: Iterable<Fact>): Iterable<Fact> {
  for (const fact of facts) {
    if (fact.type === 'settings.changed' || !isHidden(hidden, fact.seq)) yield fact;
  }
}
