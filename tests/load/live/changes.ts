import { createSeededRandom } from '@atrium/tools/seed/seeded-random';
import type { MessageLog } from '@atrium/web/features/chat/log/message-log';
import type { Browser } from './browser.ts';
import { createComingAndGoing, type Send } from './create-and-delete.ts';
import type { Ledger } from './delivery-recorder.ts';
import { found, hasMore, type Item, listed, markOf } from './found.ts';
import { CONVERSATIONS, isOfMessages } from './screens.ts';
import { FIRST_STATE, type Office, Refused } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
const STATES = ['in-progress', 'on-hold', 'not-started'];
/** Of forty changes, which are two seconds, four are of people; and a quarter has something come or go, which is what makes lists ask. */
const SHARES = {
  task: 12,
  move: 6,
  project: 2,
  state: 2,
  message: 4,
  person: 4,
  newTask: 3,
  goneTask: 1,
  newProject: 1,
  goneProject: 1,
  newMeeting: 2,
  movedMeeting: 1,
  goneMeeting: 1,
};
type Kind = keyof typeof SHARES;

/** In an order in which those of a kind are apart from each other. */
const KINDS = Object.entries(SHARES)
  .flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, nth) => ({ kind: kind as Kind, at: (nth + 0.5) / share })),
  )
  .sort((one, other) => one.at - other.at)
  .map(({ kind }) => kind);

/** A server that cannot, at the moment: a figure of its own, and no change. */
const isBusy = ({ status }: Refused) => status === 429 || status === 503;
/** Of something that another change has taken away meanwhile. */
const isGone = ({ status }: Refused) => status === 404;

type Driver = { office: Office; browsers: () => readonly Browser[]; ledger: Ledger };

/** Changes of all kinds, one after the other, as the seed of chance has it. */
export function createChanges({ office, browsers, ledger }: Driver) {
  const chance = createSeededRandom(7);
  const statusOf = new Map(office.tasks.map(({ id, status }) => [id, status]));
  const stateOf = new Map<string, string>();
  const latest = new Map<string, number>();
  let mark = 0;

  const send: Send = async (change, write) => {
    const expected = ledger.expect(browsers(), { at: performance.now(), ...change });
    try {
      await write();
      expected.made();
    } catch (error) {
      if (!(error instanceof Refused) || !(isBusy(error) || isGone(error))) throw error;
      if (isBusy(error)) ledger.refused(error.status);
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
    const from = stateOf.get(id) ?? FIRST_STATE;
    // Another than before: what counts projects by it does not change otherwise, and nobody asks for it.
    const statusNow = isState ? chance.one(STATES.filter((state) => state !== from)) : undefined;
    if (statusNow) stateOf.set(id, statusNow);
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
    // What was said stands under the name of then.
    const isNamed = (key: string, data: unknown) =>
      key !== '/users/stats/overview' && !isOfMessages(key) && found(data, id).length > 0;
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
    const isSaid = (content: unknown) => markOf(content) >= number;
    const isListed = (data: unknown) => {
      const known = listed(data).find(({ _id }) => _id === conversation._id);
      // It may be gone by now.
      return !known || isSaid((known.lastMessage as { content?: string } | null)?.content);
    };
    const isInLog = (data: unknown) => (data as MessageLog).messages.some(({ content }) => isSaid(content));
    await send(
      {
        id: conversation._id,
        affects: (key, data) =>
          isOfMessages(key)
            ? key.endsWith(conversation._id)
            : key.startsWith('/chat/conversations') && found(data, conversation._id).length > 0,
        isIn: (key, data) => (isOfMessages(key) ? isInLog(data) : isListed(data)),
      },
      () =>
        office.write('/chat/messages', speaker.person, {
          method: 'POST',
          body: { conversation: conversation._id, content: `Said in passing #${number}` },
        }),
    );
  }

  const nextNumber = () => {
    mark += 1;
    return mark;
  };
  const work: Record<Kind, () => Promise<void>> = {
    ...createComingAndGoing({ office, browsers, chance, send, nextNumber }),
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
