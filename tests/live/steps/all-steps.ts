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

/**
 * Shuffles all steps into pairs, to compare responses half as often. The steps of a pair are of different areas, so that
 * the changes of one rarely hide that those of the other are missing.
 */
export function choosePairs(seed: number): string[][] {
  const random = createSeededRandom(seed);
  const remaining = STEP_NAMES.map((name) => [random(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name);
  const pairs: string[][] = [];
  for (let first = remaining.shift(); first !== undefined; first = remaining.shift()) {
    const area = areaOf(first);
    const index = remaining.findIndex((name) => areaOf(name) !== area);
    pairs.push([first, ...(index < 0 ? [] : remaining.splice(index, 1))]);
  }
  return pairs;
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
