import { DOCUMENT_STEPS } from '../../live/steps/document-steps.ts';
import { MEETING_STEPS } from '../../live/steps/meeting-steps.ts';
import { PROJECT_STEPS, TASK_STEPS } from '../../live/steps/project-steps.ts';
import type { Step, Steps } from '../../live/steps/step.ts';
import { USER_STEPS } from '../../live/steps/user-steps.ts';
import { type Action, WRITES, type Write } from './actions.ts';

const FREQUENT: Partial<Record<Write, number>> = {
  'create a task': 4,
  'rename a task': 2,
  'move a task': 4,
  'prioritize a task': 2,
  'assign a task': 2,
  'delete a task': 3,
  'rename a project': 2,
  'add a team member': 2,
};

const KINDS: readonly (Write | 'offline' | 'online')[] = [
  ...WRITES.flatMap((write) => Array.from({ length: FREQUENT[write] ?? 1 }, () => write)),
  'offline',
  'online',
  'online',
];

/** Draws all values in a random order, and then again, so that none stays out. */
function createDeck<T>(values: readonly T[], random: () => number): () => T {
  let remaining: T[] = [];
  return () => {
    if (remaining.length === 0) remaining = [...values];
    return remaining.splice(Math.floor(random() * remaining.length), 1)[0] as T;
  };
}

export const createWrite = (write: Write, random: () => number, name: string): Action => ({
  do: write,
  random: Array.from({ length: 8 }, random),
  name,
});

/** Returns what a user does next. */
export function createActions(random: () => number, user: string): () => Action {
  const draw = createDeck(KINDS, random);
  let count = 0;
  return () => {
    count += 1;
    const kind = draw();
    if (kind === 'offline' || kind === 'online') return { do: kind };
    return createWrite(kind, random, `${WORDS[count % WORDS.length]} ${user} ${count}`);
  };
}

const WORDS = ['Alpha', 'beta', 'Ánna', 'Đelta', 'omega', 'Zoe'];

const STEPS: Steps = { ...USER_STEPS, ...PROJECT_STEPS, ...TASK_STEPS, ...MEETING_STEPS, ...DOCUMENT_STEPS };

/** Returns the next change through the API, without a browser. */
export function createApiChanges(random: () => number): () => [name: string, step: Step] {
  return createDeck(Object.entries(STEPS), random);
}
