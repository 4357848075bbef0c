import type { Fact } from '#kernel';
import type { StepResult } from './contract.ts';

/** What became of each step of the running turn, in order of ending; a projection of the facts. */
export function stepResults(facts: Iterable<Fact>): readonly StepResult[] {
  let results: StepResult[] = [];
  let steps = new Map<string, { description: string; actionId: string | null }>();
  let byAction = new Map<string, string>();
  const put = (stepId: string, status: StepResult['status'], output: string) => {
    results.push({ stepId, description: steps.get(stepId)?.description ?? '', status, output });
  };
  for (const fact of facts) {
    switch (fact.type) {
      case 'session.start':
        results = [];
        steps = new Map();
        byAction = new Map();
        break;
      case 'step.start':
        steps.set(fact.stepId, { description: fact.description ?? '', actionId: fact.actionId ?? null });
        if (fact.actionId !== undefined) byAction.set(fact.actionId, fact.stepId);
        break;
      case 'step.end':
        if (fact.outcome === 'ok') put(fact.stepId, 'ok', '');
        if (fact.outcome === 'skipped') put(fact.stepId, 'skipped', '');
        break;
      case 'attempt.outcome': {
        const stepId = byAction.get(fact.actionId);
        if (stepId !== undefined) put(stepId, fact.status, fact.output);
        break;
      }
      case 'action.verdict': {
        const stepId = byAction.get(fact.actionId);
        if (
          stepId !== undefined &&
          (fact.verdict === 'deny' || fact.verdict === 'abort' || fact.verdict === 'cancel')
        ) {
          put(stepId, fact.verdict === 'cancel' ? 'cancelled' : 'rejected', fact.message ?? fact.reason ?? '');
        }
        break;
      }
      default:
    }
  }
  return results;
}
