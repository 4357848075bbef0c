import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Limits, Price } from '#kernel';
import { ok, type Result } from '#lib';
import { type Model, openModel } from '#model';
import type { Problem } from '#surfaces/cli';
import { problem } from '../problem.ts';

export interface ChosenModel {
  readonly model: Model;
  /** The user's price, else the list price, else null: then a cost cannot be told and not be limited. */
  readonly price: Price | null;
}

/** A script named by a relative path is the same script wherever the session is resumed from. */
export const absoluteModel = (id: string, baseDir: string): string =>
  id.startsWith('scripted/') ? `scripted/${path.resolve(baseDir, id.slice('scripted/'.length))}` : id;

export async function openModelFor(
  id: string | null,
  settings: { readonly price: Price | null; readonly limits: Limits },
  env: NodeJS.ProcessEnv,
  baseDir: string,
): Promise<Result<ChosenModel, Problem>> {
  if (id === null) return problem(52, 'no model is chosen: give --model PROVIDER/MODEL or set BELAY_MODEL');
  const opened = await openModel(id, env, { baseDir, readText: (file) => readFile(file, 'utf8') });
  if (!opened.ok) return problem(opened.error.code === 'auth' ? 41 : 52, opened.error.message);
  const price = settings.price ?? opened.value.price;
  if (settings.limits.maxCostUsd !== undefined && price === null) {
    return problem(
      52,
      `--max-cost needs a price, and none is known for ${id}: give --price IN/OUT in USD per million tokens`,
    );
  }
  return ok({ model: opened.value, price });
}
