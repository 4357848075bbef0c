/**
 * Checks arguments against a schema and reports every fault, so that a model can correct them all at once. Pure. Nothing
 * is coerced and nothing is cut; a property that the schema does not name is refused unless it says otherwise.
 */
import type { Json } from '#kernel';
import { isObject, pointer, type SchemaObject, typesOf } from './schema-node.ts';

export interface ArgumentFault {
  /** JSON pointer of the value; `/` is the whole of the arguments. */
  readonly path: string;
  readonly keyword: string;
  /** What to send instead. */
  readonly message: string;
}

/** A wrong type or value stops the check of that value only; its neighbours are still checked. */
export function argumentFaults(schema: SchemaObject, value: Json, path = ''): ArgumentFault[] {
  const fault = (keyword: string, message: string): ArgumentFault => ({
    path: path === '' ? '/' : path,
    keyword,
    message,
  });
  const types = typesOf(schema);
  if (types !== null && !types.some((type) => hasType(value, type))) {
    return [fault('type', `send ${types.map(article).join(' or ')}, not ${article(nameOf(value))}`)];
  }
  const allowed = schema['enum'];
  if (Array.isArray(allowed) && !allowed.some((one) => equal(one, value))) {
    return [fault('enum', `send one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`)];
  }
  if (typeof value === 'string') return textFaults(schema, value).map(([keyword, message]) => fault(keyword, message));
  if (typeof value === 'number')
    return numberFaults(schema, value).map(([keyword, message]) => fault(keyword, message));
  if (Array.isArray(value)) {
    const { items } = schema;
    return [
      ...sizeFaults(schema, value.length, 'Items', 'items').map(([keyword, message]) => fault(keyword, message)),
      ...(isObject(items) ? value.flatMap((item, i) => argumentFaults(items, item, pointer(path, i))) : []),
    ];
  }
  return isObject(value) ? propertyFaults(schema, value, path) : [];
}

function propertyFaults(schema: SchemaObject, value: SchemaObject, path: string): ArgumentFault[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  const found: ArgumentFault[] = [];
  for (const name of required) {
    if (value[name] === undefined) {
      found.push({ path: pointer(path, name), keyword: 'required', message: 'this property is missing' });
    }
  }
  for (const [name, item] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isObject(inner)) found.push(...argumentFaults(inner, item, pointer(path, name)));
    else if (schema['additionalProperties'] !== true) {
      const names = Object.keys(properties);
      const instead = names.length === 0 ? 'send none' : `there are ${names.join(', ')}`;
      found.push({
        path: pointer(path, name),
        keyword: 'additionalProperties',
        message: `there is no such property; ${instead}`,
      });
    }
  }
  return found;
}

type Finding = readonly [keyword: string, message: string];

function textFaults(schema: SchemaObject, value: string): Finding[] {
  const { pattern } = schema;
  // No file, program or provider could be given it: somewhere on the way it would become another text, in silence.
  if (!value.isWellFormed()) return [['characters', 'it holds half of a character; send whole characters']];
  const found = sizeFaults(schema, [...value].length, 'Length', 'characters');
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
    found.push(['pattern', `send a text that fits ${pattern}`]);
  }
  return found;
}

function numberFaults(schema: SchemaObject, value: number): Finding[] {
  const { minimum, maximum } = schema;
  const found: Finding[] = [];
  if (typeof minimum === 'number' && value < minimum) found.push(['minimum', `send ${minimum} or more`]);
  if (typeof maximum === 'number' && value > maximum) found.push(['maximum', `send ${maximum} or less`]);
  return found;
}

function sizeFaults(schema: SchemaObject, size: number, what: 'Length' | 'Items', unit: string): Finding[] {
  const [min, max] = [schema[`min${what}`], schema[`max${what}`]];
  const found: Finding[] = [];
  if (typeof min === 'number' && size < min) {
    found.push([`min${what}`, min === 1 ? 'it is empty' : `send ${min} ${unit} or more`]);
  }
  if (typeof max === 'number' && size > max) found.push([`max${what}`, `send ${max} ${unit} or fewer`]);
  return found;
}

/** A whole number is an integer in either spelling (`1` and `1.0`); a boolean is never a number. */
function hasType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  return nameOf(value) === type;
}

function nameOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const article = (type: string): string => (type === 'null' ? 'null' : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`);

const equal = (a: Json, b: Json): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
