import { createSeededRandom } from '@atrium/tools/seed/seeded-random';
import type { MessageLog } from '@atrium/web/features/chat/log/message-log';
import type { Browser } from './browser.ts';
import { createItemChanges, type Send } from './create-and-delete.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { found, hasMore, type Item, listed, markOf } from './found.ts';
import { CONVERSATIONS, isOfMessages } from './screens.ts';
import { FIRST_STATE, type LoadWorkspace, RejectedRequest } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
const STATES = ['in-progress', 'on-hold', 'not-started'];
/** Of forty changes, which are two seconds, four are of users; a quarter creates or deletes items, which makes lists refetch. */
const SHARES = {
  task: 12,
  move: 6,
  project: 2,
  state: 2,
  message: 4,
  person: 4,
  newTask: 3,
  deletedTask: 1,
  newProject: 1,
  deletedProject: 1,
  newMeeting: 2,
  movedMeeting: 1,
  deletedMeeting: 1,
};
type Kind = keyof typeof SHARES;

/** An order in which changes of one kind are spread out. */
const KINDS = Object.entries(SHARES)
  .flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, nth) => ({ kind: kind as Kind, at: (nth + 0.5) / share })),
  )
  .sort((one, other) => one.at - other.at)
  .map(({ kind }) => kind);

/** An overloaded server: counted separately, not as a change. */
const isBusy = ({ status }: RejectedRequest) => status === 429 || status === 503;
/** The item was deleted by another change. */
const isDeleted = ({ status }: RejectedRequest) => status === 404;

type Driver = { workspace: LoadWorkspace; browsers: () => readonly Browser[]; recorder: DeliveryRecorder };

/** Sequential changes of all kinds, as the seed determines. */
export function createChanges({ workspace, browsers, recorder }: Driver) {
  const random = createSeededRandom(7);
  const statusOf = new Map(workspace.tasks.map(({ id, status }) => [id, status]));
  const stateOf = new Map<string, string>();
  const latest = new Map<string, number>();
  let lastNumber = 0;

  const send: Send = async (change, write) => {
    const expected = recorder.expect(browsers(), { at: performance.now(), ...change });
    try {
      await write();
      expected.succeeded();
    } catch (error) {
      if (!(error instanceof RejectedRequest) || !(isBusy(error) || isDeleted(error))) throw error;
      if (isBusy(error)) recorder.failed(error.status);
      expected.failed();
    }
  };
  const asAdmin = (path: string, body: Record<string, unknown>) =>
    workspace.write(path, workspace.admin, { method: 'PATCH', body });
  const nextNumberOf = (id: string) => {
    lastNumber += 1;
    latest.set(id, lastNumber);
    return lastNumber;
  };

  async function changeTask(isMove: boolean): Promise<void> {
    const { id, project_id } = random.one(workspace.tasks);
    const from = statusOf.get(id) ?? '';
    const to = isMove ? random.one(STATUSES.filter((status) => status !== from)) : from;
    statusOf.set(id, to);
    const number = nextNumberOf(id);
    const title = `What there is to do #${number}`;
    const isColumn = (key: string) => key.startsWith(`/tasks/project/${project_id}?`);
    const isOf = (key: string, status: string) => key.includes(`status=${status}&`);
    await send(
      {
        id,
        affects: (key, data) => isColumn(key) && (isOf(key, to) || found(data, id).length > 0),
        // In its current column, and removed from the others; if it has moved again since, that is a later change.
        isShownIn: (key, data) => {
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
    const id = random.one(workspace.projects);
    const number = nextNumberOf(id);
    let updatedAt = '';
    const isList = (key: string) => key.startsWith('/projects?');
    const from = stateOf.get(id) ?? FIRST_STATE;
    // A different state, since counts do not change otherwise and are not refetched.
    const statusNow = isState ? random.one(STATES.filter((state) => state !== from)) : undefined;
    if (statusNow) stateOf.set(id, statusNow);
    const startedAt = performance.now();
    await send(
      {
        id,
        affects: (key) =>
          isList(key) || key === `/projects/${id}` || (statusNow !== undefined && key === '/projects/stats'),
        isShownIn: (key, data, requestedAt) => {
          if (key === '/projects/stats') return requestedAt > startedAt && updatedAt !== '';
          const [item] = found(data, id);
          if (item) return markOf(item.description) >= number;
          // Pushed off the end of the list by later changes.
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

  async function renameUser(): Promise<void> {
    const { _id: id } = random.one(workspace.members);
    const number = nextNumberOf(id);
    // Last messages keep the sender's name of that time.
    const isNamed = (key: string, data: unknown) =>
      key !== '/users/stats/overview' && !isOfMessages(key) && found(data, id).length > 0;
    await send(
      {
        id,
        affects: isNamed,
        isShownIn: (_key, data) => found(data, id).every(({ firstName }) => markOf(firstName) >= number),
      },
      () => asAdmin(`/users/${id}`, { firstName: `Anna #${number}` }),
    );
  }

  async function sendMessage(): Promise<void> {
    const isList = (key: string) => key === CONVERSATIONS;
    const chatBrowsers = browsers().filter(({ screen }) => screen.keys.some(isList));
    if (chatBrowsers.length === 0) return;
    const sender = random.one(chatBrowsers);
    const [conversation] = (sender.cachedData(sender.screen.keys.find(isList) ?? '') as { data: Item[] }).data;
    if (!conversation) return;
    lastNumber += 1;
    const number = lastNumber;
    const isMessageShown = (content: unknown) => markOf(content) >= number;
    const isListed = (data: unknown) => {
      const known = listed(data).find(({ _id }) => _id === conversation._id);
      // The conversation may have been deleted by now.
      return !known || isMessageShown((known.lastMessage as { content?: string } | null)?.content);
    };
    const isInLog = (data: unknown) => (data as MessageLog).messages.some(({ content }) => isMessageShown(content));
    await send(
      {
        id: conversation._id,
        affects: (key, data) =>
          isOfMessages(key)
            ? key.endsWith(conversation._id)
            : key.startsWith('/chat/conversations') && found(data, conversation._id).length > 0,
        isShownIn: (key, data) => (isOfMessages(key) ? isInLog(data) : isListed(data)),
      },
      () =>
        workspace.write('/chat/messages', sender.person, {
          method: 'POST',
          body: { conversation: conversation._id, content: `Message #${number}` },
        }),
    );
  }

  const nextNumber = () => {
    lastNumber += 1;
    return lastNumber;
  };
  const runKind: Record<Kind, () => Promise<void>> = {
    ...createItemChanges({ workspace, browsers, random, send, nextNumber }),
    task: () => changeTask(false),
    move: () => changeTask(true),
    project: () => changeProject(false),
    state: () => changeProject(true),
    message: sendMessage,
    person: renameUser,
  };
  /** A call that a business rule rejects is not a change; its error is returned. */
  return async (turn: number): Promise<void> => {
    const kind = KINDS[turn % KINDS.length];
    if (kind) await runKind[kind]();
  };
}
