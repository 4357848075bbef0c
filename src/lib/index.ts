export { type BoundedQueue, boundedQueue } from './bounded-queue.ts';
export { canonicalJson } from './canonical-json.ts';
export { counted } from './counted.ts';
export { isSessionId, makeId } from './ids.ts';
export { type Prng, seededPrng } from './prng.ts';
export { assertNever, err, messageOf, ok, type Result } from './result.ts';
export { mayNameSecret, namesSecret } from './secret-name.ts';
export {
  bool,
  type Fields,
  fieldMisfits,
  type Infer,
  type InferFields,
  int,
  type Json,
  json,
  list,
  misfits,
  num,
  obj,
  oneOf,
  opt,
  record,
  type Shape,
  str,
  testOfFields,
} from './shape.ts';
