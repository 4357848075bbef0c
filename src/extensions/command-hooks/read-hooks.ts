/**
 * Reads `hooks` of a settings file: `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command",
 * "command": "…", "timeout": 60}]}]}}`, the form that Claude Code made common; `timeout` in seconds. `onFailure:
 * "block"` makes a hook that itself fails refuse the call.
 */
import { type CommandHook, type HookEvent, type HookFile, type HooksRead, hookEvents } from '../contract.ts';

const secondsDefault = 60;
const secondsMax = 3_600;
const known = new Set(['type', 'command', 'timeout', 'onFailure', 'statusMessage']);

/** Never throws. What is not understood is left out and named. */
export function readHooks({ name, text }: HookFile): HooksRead {
  const warnings: string[] = [];
  const hooks: CommandHook[] = [];
  const warn = (place: string, why: string) => void warnings.push(`${name}: hooks${place}: ${why}`);
  for (const [event, groups] of Object.entries(hooksIn(text, warn))) {
    if (!isEvent(event)) {
      warn(`.${event}`, `this event is not served; those are ${hookEvents.join(', ')}`);
      continue;
    }
    for (const [at, group] of listOf(groups, `.${event}`, warn).entries()) {
      const place = `.${event}[${at}]`;
      const matcher = matcherOf(group, event, place, warn);
      if (matcher === undefined) continue;
      for (const [index, entry] of listOf(group['hooks'], `${place}.hooks`, warn).entries()) {
        const where = `${place}.hooks[${index}]`;
        const hook = hookOf(entry, where, warn);
        if (hook !== null) hooks.push({ ...hook, event, matcher, name: `${name} ${event}[${at}][${index}]` });
      }
    }
  }
  return { hooks, warnings };
}

type Warn = (place: string, why: string) => void;
type Dict = { readonly [key: string]: unknown };

function hooksIn(text: string, warn: Warn): Dict {
  let whole: unknown;
  try {
    whole = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Whoever reads the rules of the same file says so.
    return {};
  }
  const hooks = isDict(whole) ? whole['hooks'] : undefined;
  if (hooks === undefined) return {};
  if (isDict(hooks)) return hooks;
  warn('', 'it must be an object of lists by event');
  return {};
}

function listOf(value: unknown, place: string, warn: Warn): readonly Dict[] {
  if (!Array.isArray(value)) {
    warn(place, 'it must be a list');
    return [];
  }
  return value.filter((one, at): one is Dict => {
    if (isDict(one)) return true;
    warn(`${place}[${at}]`, 'it must be an object');
    return false;
  });
}

/** Undefined where there is one that cannot be used. */
function matcherOf(group: Dict, event: HookEvent, place: string, warn: Warn): string | null | undefined {
  const { matcher } = group;
  if (matcher === undefined || matcher === '' || matcher === '*') return null;
  if (typeof matcher !== 'string') {
    warn(place, 'matcher must be a text');
    return undefined;
  }
  // It is still used: an embedding program may have tools of such names.
  if (event.includes('ToolUse') && /^[a-z|\s]+$/.test(matcher)) {
    warn(
      place,
      `matcher ${JSON.stringify(matcher)} means no tool of Belay's: their names begin with a capital letter, as Bash`,
    );
  }
  try {
    new RegExp(matcher);
    return matcher;
  } catch {
    warn(place, `matcher ${JSON.stringify(matcher)} is no regular expression`);
    return undefined;
  }
}

function hookOf(
  entry: Dict,
  where: string,
  warn: Warn,
): Pick<CommandHook, 'command' | 'timeoutMs' | 'onFailure'> | null {
  const { type, command, timeout = secondsDefault, onFailure = 'warn' } = entry;
  const reject = (why: string) => {
    warn(where, why);
    return null;
  };
  if (type !== 'command') return reject(`only hooks of type "command" are served, not ${JSON.stringify(type)}`);
  if (typeof command !== 'string' || command.trim() === '') return reject('command must be a text');
  if (typeof timeout !== 'number' || !(timeout > 0) || timeout > secondsMax) {
    return reject(`timeout must be seconds, at most ${secondsMax}`);
  }
  if (onFailure !== 'warn' && onFailure !== 'block') return reject('onFailure must be "warn" or "block"');
  const unknown = Object.keys(entry).filter((key) => !known.has(key));
  // A condition or a flag that is not understood could mean anything, so the hook is not run without it.
  if (unknown.length > 0) return reject(`${unknown.join(', ')}: not understood, so this hook is left out`);
  return { command, timeoutMs: Math.round(timeout * 1000), onFailure };
}

const isEvent = (event: string): event is HookEvent => (hookEvents as readonly string[]).includes(event);
const isDict = (value: unknown): value is Dict => value !== null && typeof value === 'object' && !Array.isArray(value);
