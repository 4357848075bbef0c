export { backoffDelayMs } from './backoff.ts';
export { parseCallArguments } from './call-arguments.ts';
export type { Model, ModelCallContext, ModelConfigProblem } from './contract.ts';
export { type OpenModelOptions, openModel } from './open-model.ts';
export { costUsd, priceOf } from './price.ts';
