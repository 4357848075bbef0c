import { createProjector } from '#context';
import type { Price, ToolDefinition } from '#kernel';
import type { Ledger } from '#ledger';
import type { Model } from '#model';
import type { ModelPlanner } from '#runtime';

/** A model that is asked with what the ledger holds. Projecting costs the facts since the last request only. */
export function modelPlanner(
  model: Model,
  price: Price | null,
  tools: readonly ToolDefinition[],
  ledger: Pick<Ledger, 'read'>,
): ModelPlanner {
  const projector = createProjector(tools);
  return {
    kind: 'model',
    name: 'model',
    modelId: model.id,
    price,
    project() {
      projector.fold(ledger.read(projector.seq + 1));
      return projector.request();
    },
    generate: (request, context) => model.generate(request, context),
  };
}
