import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { NotApplicableError, type Workspace } from '../workspace-state.ts';
import { CHAT_STEPS } from './chat-steps.ts';
import { DOCUMENT_STEPS } from './document-steps.ts';
import { MEETING_STEPS } from './meeting-steps.ts';
import { PROJECT_STEPS, TASK_STEPS } from './project-steps.ts';
import type { Steps } from './step.ts';
import { USER_STEPS } from './user-steps.ts';

const AREAS: readonly Steps[] = [USER_STEPS, PROJECT_STEPS, TASK_STEPS, MEETING_STEPS, DOCUMENT_STEPS, CHAT_STEPS];
const STEPS: Steps = Object.assign({}, ...AREAS);

export const STEP_NAMES = Object.keys(STEPS);

const areaOf = (name: string) => AREAS.findIndex((steps) => name in steps);

/** Returns the names of all steps in an order that depends on the seed. */
export function shuffleSteps(seed: number): string[] {
  const random = createSeededRandom(seed);
  const places = new Map(STEP_NAMES.map((name) => [name, random()]));
  return STEP_NAMES.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

/**
 * Combines steps, so that responses are compared half as often. The steps of a pair are of different areas: the changes of
 * one rarely hide that those of the other are missing.
 */
export function pairs(names: readonly string[]): string[][] {
  const remaining = [...names];
  const paired: string[][] = [];
  for (let first = remaining.shift(); first !== undefined; first = remaining.shift()) {
    const area = areaOf(first);
    const index = remaining.findIndex((name) => areaOf(name) !== area);
    paired.push([first, ...(index < 0 ? [] : remaining.splice(index, 1))]);
  }
  return paired;
}

/** Returns the steps that had something to change. */
export async function runSteps(workspace: Workspace, names: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  for (const name of names) {
    try {
      await STEPS[name]?.(workspace);
      done.push(name);
    } catch (error) {
      if (!(error instanceof NotApplicableError)) throw new Error(`Failed to ${name}`, { cause: error });
    }
  }
  return done;
}
