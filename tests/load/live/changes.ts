import { createChance } from '@atrium/tools/seed/chance';
import type { Browser } from './browser.ts';
import type { Expected, Ledger } from './ledger.ts';
import { type Office, Refused } from './office.ts';
import { CONVERSATIONS } from './screens.ts';

type Item = Record<string, unknown> & { _id: string };

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
/** Of twenty changes a second two are of people. */
const KINDS = ['task', 'task', 'task', 'task', 'move', 'move', 'project', 'state', 'message', 'person'] as const;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && '_id' in value;

/** Of each answer what stands in it, by its id: looked through once, for thousands of browsers are asked about every change. */
const indexes = new WeakMap<object, Map<string, Item[]>>();

function index(value: unknown, items: Map<string, Item[]>): Map<string, Item[]> {
  if (typeof value !== 'object' || value === null) return items;
  if (isItem(value)) items.set(value._id, [...(items.get(value._id) ?? []), value]);
  for (const inside of Object.values(value)) index(inside, items);
  return items;
}

/** Everything in an answer that has this id. */
function found(data: unknown, id: string): Item[] {
  if (typeof data !== 'object' || data === null) return [];
  const known = indexes.get(data) ?? index(data, new Map());
  indexes.set(data, known);
  return known.get(id) ?? [];
}

/** A server that cannot, at the moment: a figure of its own, and no change. */
const isBusy = ({ status }: Refused) => status === 429 || status === 503;

const hasMore = (page: unknown) => {
  const { data, total } = page as { data: Item[]; total: number };
  return total > data.length;
};

/** The number that a text ends in: each change writes the next. */
const markOf = (value: unknown) => Number(/#(\d+)$/.exec(String(value))?.[1] ?? 0);

type Driver = { office: Office; browsers: () => readonly Browser[]; ledger: Ledger };

/** Changes of all kinds, one after the other, as the seed of chance has it. */
export function createChanges({ office, browsers, ledger }: Driver) {
  const chance = createChance(7);
  const statusOf = new Map(office.tasks.map(({ id, status }) => [id, status]));
  const latest = new Map<string, number>();
  let mark = 0;

  const send = async (change: Omit<Expected, 'at'>, write: () => Promise<unknown>) => {
    const expected = ledger.expect(browsers(), { at: performance.now(), ...change });
    try {
      await write();
      expected.made();
    } catch (error) {
      if (!(error instanceof Refused) || !isBusy(error)) throw error;
      ledger.refused(error.status);
      expected.refused();
    }
  };
  const asAdmin = (path: string, body: Record<string, unknown>) =>
    office.write(path, office.admin, { method: 'PATCH', body });
  const nextMark = (id: string) => {
    mark += 1;
    latest.set(id, mark);
    return mark;
  };

  async function changeTask(isMove: boolean): Promise<void> {
    const { id, project_id } = chance.one(office.tasks);
    const from = statusOf.get(id) ?? '';
    const to = isMove ? chance.one(STATUSES.filter((status) => status !== from)) : from;
    statusOf.set(id, to);
    const number = nextMark(id);
    const title = `What there is to do #${number}`;
    const isColumn = (key: string) => key.startsWith(`/tasks/project/${project_id}?`);
    const isOf = (key: string, status: string) => key.includes(`status=${status}&`);
    await send(
      {
        id,
        affects: (key, data) => isColumn(key) && (isOf(key, to) || found(data, id).length > 0),
        // In the column where it is now, and gone from the others; where it has been moved on since, that is told.
        isIn: (key, data) => {
          const [item] = found(data, id);
          if (item) return markOf(item.title) >= number;
          // A long column shows its first hundred.
          return !isOf(key, to) || (latest.get(id) ?? 0) > number || hasMore(data);
        },
      },
      () => asAdmin(`/tasks/${id}`, isMove ? { title, status: to } : { title }),
    );
  }

  async function changeProject(isState: boolean): Promise<void> {
    const id = chance.one(office.projects);
    const number = nextMark(id);
    let updatedAt = '';
    const isList = (key: string) => key.startsWith('/projects?');
    const statusNow = isState ? chance.one(['in-progress', 'on-hold', 'not-started']) : undefined;
    const begun = performance.now();
    await send(
      {
        id,
        affects: (key) =>
          isList(key) || key === `/projects/${id}` || (statusNow !== undefined && key === '/projects/stats'),
        isIn: (key, data, askedAt) => {
          if (key === '/projects/stats') return askedAt > begun && updatedAt !== '';
          const [item] = found(data, id);
          if (item) return markOf(item.description) >= number;
          // Pushed off the end of the list by what changed since.
          const items = (data as { data: Item[] }).data;
          return updatedAt !== '' && String(items.at(-1)?.updatedAt) > updatedAt;
        },
      },
      async () => {
        const body = { description: `What it is about #${number}`, ...(statusNow && { status: statusNow }) };
        updatedAt = String((await asAdmin(`/projects/${id}`, body)).updatedAt);
      },
    );
  }

  async function renamePerson(): Promise<void> {
    const { _id: id } = chance.one(office.members);
    const number = nextMark(id);
    const isNamed = (key: string, data: unknown) => key !== '/users/stats/overview' && found(data, id).length > 0;
    await send(
      {
        id,
        affects: isNamed,
        isIn: (_key, data) => found(data, id).every(({ firstName }) => markOf(firstName) >= number),
      },
      () => asAdmin(`/users/${id}`, { firstName: `Anna #${number}` }),
    );
  }

  async function say(): Promise<void> {
    const isList = (key: string) => key === CONVERSATIONS;
    const talking = browsers().filter(({ screen }) => screen.keys.some(isList));
    if (talking.length === 0) return;
    const speaker = chance.one(talking);
    const [conversation] = (speaker.held(speaker.screen.keys.find(isList) ?? '') as { data: Item[] }).data;
    if (!conversation) return;
    mark += 1;
    const number = mark;
    const lastOf = (data: unknown) => {
      const known = (data as { data: Item[] } | undefined)?.data.find(({ _id }) => _id === conversation._id);
      return markOf((known?.lastMessage as { content?: string } | null)?.content);
    };
    await send(
      {
        id: conversation._id,
        affects: (key, data) => key.startsWith('/chat/conversations') && found(data, conversation._id).length > 0,
        isIn: (_key, data) => lastOf(data) >= number,
      },
      () =>
        office.write('/chat/messages', speaker.person, {
          method: 'POST',
          body: { conversation: conversation._id, content: `Said in passing #${number}` },
        }),
    );
  }

  const work: Record<(typeof KINDS)[number], () => Promise<void>> = {
    task: () => changeTask(false),
    move: () => changeTask(true),
    project: () => changeProject(false),
    state: () => changeProject(true),
    message: say,
    person: renamePerson,
  };
  /** What was refused by the rules of the product is no change; what it said comes back. */
  return async (turn: number): Promise<void> => {
    const kind = KINDS[turn % KINDS.length];
    if (kind) await work[kind]();
  };
}
