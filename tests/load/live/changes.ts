import { createSeededRandom } from '@atrium/tools/seed/seeded-random';
import type { MessageLog } from '@atrium/web/features/chat/log/message-log';
import type { Browser } from './browser.ts';
import { createItemChanges, type Send } from './create-and-delete.ts';
import type { DeliveryRecorder } from './delivery-recorder.ts';
import { changeNumberOf, findItems, hasMore, type Item, listItems } from './response-items.ts';
import { CONVERSATIONS, isMessagesKey } from './screens.ts';
import { INITIAL_STATUS, type LoadWorkspace, RejectedRequest } from './virtual-users.ts';

const STATUSES = ['todo', 'in-progress', 'review', 'done'];
const STATES = ['in-progress', 'on-hold', 'not-started'];
/** Kinds of forty changes (two seconds). A quarter of them create or delete items, which makes lists refetch. */
const SHARES = {
  task: 12,
  move: 6,
  project: 2,
  state: 2,
  message: 4,
  user: 4,
  newTask: 3,
  deletedTask: 1,
  newProject: 1,
  deletedProject: 1,
  newMeeting: 2,
  movedMeeting: 1,
  deletedMeeting: 1,
};
type Kind = keyof typeof SHARES;

/** The order of the forty changes, in which changes of one kind are spread out. */
const KINDS = Object.entries(SHARES)
  .flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, nth) => ({ kind: kind as Kind, at: (nth + 0.5) / share })),
  )
  .sort((a, b) => a.at - b.at)
  .map(({ kind }) => kind);

/** Whether the server was overloaded. Such calls are counted separately, not as changes. */
const isBusy = ({ status }: RejectedRequest) => status === 429 || status === 503;
/** Whether another change has deleted the item. */
const isDeleted = ({ status }: RejectedRequest) => status === 404;

type Driver = { workspace: LoadWorkspace; browsers: () => readonly Browser[]; recorder: DeliveryRecorder };

/** Returns a function that makes the change of a turn. A seed determines its values. */
export function createChanges({ workspace, browsers, recorder }: Driver) {
  const random = createSeededRandom(7);
  const statusByTask = new Map(workspace.tasks.map(({ id, status }) => [id, status]));
  const stateByProject = new Map<string, string>();
  const latestNumbers = new Map<string, number>();
  let lastNumber = 0;

  /** Writes of one item follow each other: of two at the same time, the server may commit either one last. */
  const inFlight = new Map<string, Promise<void>>();
  const send: Send = (change, write) => {
    const sent = (inFlight.get(change.id) ?? Promise.resolve()).then(() => sendAlone(change, write));
    inFlight.set(change.id, sent);
    return sent;
  };
  const sendAlone: Send = async (change, write) => {
    const expected = recorder.expect(browsers(), { at: performance.now(), ...change });
    try {
      await write();
      expected.succeeded();
    } catch (error) {
      if (!(error instanceof RejectedRequest) || !(isBusy(error) || isDeleted(error))) throw error;
      if (isBusy(error)) recorder.onFailure(error.status);
      expected.failed();
    }
  };
  const asAdmin = (path: string, body: Record<string, unknown>) =>
    workspace.write(path, workspace.admin, { method: 'PATCH', body });
  const nextNumberOf = (id: string) => {
    lastNumber += 1;
    latestNumbers.set(id, lastNumber);
    return lastNumber;
  };

  async function changeTask(changesColumn: boolean): Promise<void> {
    const { id, project_id } = random.pick(workspace.tasks);
    const from = statusByTask.get(id) ?? '';
    const to = changesColumn ? random.pick(STATUSES.filter((status) => status !== from)) : from;
    statusByTask.set(id, to);
    const number = nextNumberOf(id);
    const title = `What there is to do #${number}`;
    const isColumn = (key: string) => key.startsWith(`/tasks/project/${project_id}?`);
    const hasStatus = (key: string, status: string) => key.includes(`status=${status}&`);
    await send(
      {
        id,
        affects: (key, data) => isColumn(key) && (hasStatus(key, to) || findItems(data, id).length > 0),
        // Shown in its current column, and removed from the others unless it has moved again since.
        isShownIn: (key, data) => {
          const [item] = findItems(data, id);
          if (item) return changeNumberOf(item.title) >= number;
          // A long column shows only its first hundred tasks.
          return !hasStatus(key, to) || (latestNumbers.get(id) ?? 0) > number || hasMore(data);
        },
      },
      () => asAdmin(`/tasks/${id}`, changesColumn ? { title, status: to } : { title }),
    );
  }

  async function changeProject(changesStatus: boolean): Promise<void> {
    const id = random.pick(workspace.projects);
    const number = nextNumberOf(id);
    let updatedAt = '';
    const isList = (key: string) => key.startsWith('/projects?');
    const from = stateByProject.get(id) ?? INITIAL_STATUS;
    // A different status, because otherwise counts do not change and are not refetched.
    const nextStatus = changesStatus ? random.pick(STATES.filter((state) => state !== from)) : undefined;
    if (nextStatus) stateByProject.set(id, nextStatus);
    const startedAt = performance.now();
    await send(
      {
        id,
        affects: (key) =>
          isList(key) || key === `/projects/${id}` || (nextStatus !== undefined && key === '/projects/stats'),
        isShownIn: (key, data, shownAt) => {
          if (key === '/projects/stats') return shownAt > startedAt && updatedAt !== '';
          const [item] = findItems(data, id);
          if (item) return changeNumberOf(item.description) >= number;
          // Pushed off the end of the list by later changes.
          const items = (data as { data: Item[] }).data;
          return updatedAt !== '' && String(items.at(-1)?.updatedAt) > updatedAt;
        },
      },
      async () => {
        const body = { description: `What it is about #${number}`, ...(nextStatus && { status: nextStatus }) };
        updatedAt = String((await asAdmin(`/projects/${id}`, body)).updatedAt);
      },
    );
  }

  async function renameUser(): Promise<void> {
    const { _id: id } = random.pick(workspace.members);
    const number = nextNumberOf(id);
    // Last messages keep the name that the sender had when sending.
    const isNamed = (key: string, data: unknown) =>
      key !== '/users/stats/overview' && !isMessagesKey(key) && findItems(data, id).length > 0;
    await send(
      {
        id,
        affects: isNamed,
        isShownIn: (_key, data) => findItems(data, id).every(({ firstName }) => changeNumberOf(firstName) >= number),
      },
      () => asAdmin(`/users/${id}`, { firstName: `Anna #${number}` }),
    );
  }

  async function sendMessage(): Promise<void> {
    const isList = (key: string) => key === CONVERSATIONS;
    const chatBrowsers = browsers().filter(({ screen }) => screen.keys.some(isList));
    if (chatBrowsers.length === 0) return;
    const sender = random.pick(chatBrowsers);
    const [conversation] = (sender.cachedData(sender.screen.keys.find(isList) ?? '') as { data: Item[] }).data;
    if (!conversation) return;
    lastNumber += 1;
    const number = lastNumber;
    const isMessageShown = (content: unknown) => changeNumberOf(content) >= number;
    const isListed = (data: unknown) => {
      const listedConversation = listItems(data).find(({ _id }) => _id === conversation._id);
      // The conversation may have been deleted by now.
      return (
        !listedConversation || isMessageShown((listedConversation.lastMessage as { content?: string } | null)?.content)
      );
    };
    const isInLog = (data: unknown) => (data as MessageLog).messages.some(({ content }) => isMessageShown(content));
    await send(
      {
        id: conversation._id,
        affects: (key, data) =>
          isMessagesKey(key)
            ? key.endsWith(conversation._id)
            : key.startsWith('/chat/conversations') && findItems(data, conversation._id).length > 0,
        isShownIn: (key, data) => (isMessagesKey(key) ? isInLog(data) : isListed(data)),
      },
      () =>
        workspace.write('/chat/messages', sender.user, {
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
    user: renameUser,
  };
  return async (turn: number): Promise<void> => {
    const kind = KINDS[turn % KINDS.length];
    if (kind) await runKind[kind]();
  };
}
