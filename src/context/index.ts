export { projectedTypes } from './projected-types.ts';
export { createProjector, type Projector } from './projector.ts';
export { type PromptSettings, promptBytesMax, systemPrompt } from './system-prompt.ts';
export { visibleFacts } from './visible-facts.ts';
