import { setTimeout as delay } from 'node:timers/promises';
import { createSeededRandom } from '@atrium/tools/seed/seeded-random';
import { recordTime, type TimesByName } from './figures.ts';
import type { SeededLists } from './seeded-lists.ts';

const WRITERS = 20;
/** Pause after each write, which together take a quarter of a second: 80 writes per second in total. */
const PAUSE_MS = 240;

type Write = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<{ _id: string }>;

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
const PRIORITIES = ['urgent', 'high', 'medium', 'low'];

/** Starts twenty users who write continuously: mostly tasks, occasionally a project, and one changes names. */
export function startWriters(lists: SeededLists, times: TimesByName): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    writeRepeatedly(lists, times, { index, signal: stopping.signal }),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all(writers);
    },
  };
}

async function writeRepeatedly(
  lists: SeededLists,
  times: TimesByName,
  { index, signal }: { index: number; signal: AbortSignal },
) {
  const random = createSeededRandom(index + 1);
  const write: Write = async (method, path, body) => {
    const startedAt = performance.now();
    const url = `${path.startsWith('/users') ? lists.urls.users : lists.urls.projects}/api${path}`;
    const response = await fetch(url, {
      method,
      headers: { ...lists.headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const name = `${method} ${path.replace(/[0-9a-f]{24}/, ':id')}`;
    recordTime(times, name, performance.now() - startedAt);
    if (!response.ok) throw new Error(`${name} returned ${response.status}: ${text.slice(0, 300)}`);
    await delay(PAUSE_MS);
    return text === '' ? { _id: '' } : (JSON.parse(text) as { _id: string });
  };
  const round = index === 0 ? renameUser : index === 1 ? describeProject : workOnTasks;
  for (let turn = 0; !signal.aborted; turn += 1) await round(write, { lists, turn, pick: (of) => random.pick(of) });
}

type WriteContext = { lists: SeededLists; turn: number; pick: (of: readonly string[]) => string };

async function renameUser(write: Write, { lists, turn, pick }: WriteContext): Promise<void> {
  await write('PATCH', `/users/${pick(lists.changeableIds.users)}`, { lastName: `Renamed${turn}` });
}

async function describeProject(write: Write, { lists, turn, pick }: WriteContext): Promise<void> {
  await write('PATCH', `/projects/${pick(lists.changeableIds.projects)}`, {
    description: `Updated for the ${turn}. time`,
  });
}

/** Creates as many tasks as it deletes, so that the workspace keeps its size. */
async function workOnTasks(write: Write, { lists, turn, pick }: WriteContext): Promise<void> {
  const anyTaskPath = () => `/tasks/${pick(lists.changeableIds.tasks)}`;
  const task = { title: `Look into number ${turn}`, description: 'What came up today, and who takes it.' };
  const { _id } = await write('POST', '/tasks', {
    ...task,
    project: pick(lists.changeableIds.projects),
    priority: pick(PRIORITIES),
  });
  await write('PATCH', anyTaskPath(), { status: pick(STATUSES), priority: pick(PRIORITIES) });
  await write('PATCH', anyTaskPath(), {
    title: `Look again into number ${turn}`,
    dueDate: `2027-01-${10 + (turn % 20)}`,
  });
  await write('POST', `${anyTaskPath()}/comments`, { comment: 'Done by Friday, I think.' });
  await write('DELETE', `/tasks/${_id}`);
}
