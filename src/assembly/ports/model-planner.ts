import { createProjector, type Projector, visibleFacts } from '#context';
import { hiddenRanges, type Price, type ToolDefinition } from '#kernel';
import type { Ledger } from '#ledger';
import type { Model } from '#model';
import type { ModelPlanner } from '#runtime';

/**
 * A model that is asked with what the ledger holds. Projecting costs the facts since the last request only; `first` may
 * have folded facts already.
 */
export function modelPlanner(
  model: Model,
  price: Price | null,
  tools: readonly ToolDefinition[],
  ledger: Pick<Ledger, 'read' | 'getBlob'>,
  first: Projector,
): ModelPlanner {
  let projector = first;
  projector.offer(tools);
  let hidden = '[]';
  return {
    kind: 'model',
    name: 'model',
    modelId: model.id,
    price,
    waitsForDurable: model.waitsForDurable === true,
    project(_facts, { undo }) {
      const now = JSON.stringify(hiddenRanges(undo, 'chat'));
      // What was said cannot be taken back piece by piece: after an undo it is projected anew.
      if (now !== hidden) projector = createProjector(tools);
      hidden = now;
      projector.fold(visibleFacts(ledger.read(projector.seq + 1), undo));
      return projector.request();
    },
    generate: (request, context) => model.generate(request, { ...context, blob: (hash) => ledger.getBlob(hash) }),
  };
}
