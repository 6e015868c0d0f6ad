import { setTimeout as pause } from 'node:timers/promises';
import { newKey } from './caller.ts';
import { isFault, type Ledger } from './ledger.ts';
import { hire, signIn, type Worker } from './people.ts';

/** Who works while pods come and go; those who only look on are others. */
const WORKERS = ['maya', 'jonas', 'aiko', 'tariq', 'ines', 'rui', 'petra', 'samuel', 'hanna', 'emeka'];
const PAUSE_MS = [120, 480] as const;
const AT_ONCE = 12;

type Made = { _id: string };

/** Where all of it happens, so that what was there before stays as it was. */
export type Site = { project: string; conversation: string; workers: Worker[] };

/** Something that goes on until it is told to rest. */
export type Work = {
  site: Site;
  /** Ends when no call is under way any more. */
  rest(): Promise<void>;
  resume(): void;
};

/** Ten people make and change things of every kind, each with a pause between two calls. */
export async function startWork(base: string, ledger: Ledger): Promise<Work> {
  const site = await openSite(base, ledger);
  let working: { stop: AbortController; done: Promise<unknown> } | undefined;
  const resume = () => {
    const stop = new AbortController();
    const done = Promise.all(site.workers.map((worker) => toil(base, worker, site, ledger, stop.signal)));
    working = { stop, done };
  };
  resume();
  return {
    site,
    resume,
    async rest() {
      working?.stop.abort();
      await working?.done;
    },
  };
}

async function openSite(base: string, ledger: Ledger): Promise<Site> {
  const workers: Worker[] = [];
  for (const first of WORKERS) workers.push(await hire(base, first, ledger));
  const [admin] = workers;
  const people = workers.map(({ id }) => id);
  const project = await admin?.ask<Made>('POST', '/projects', projectBody(admin, 'The roll-out', people));
  const channel = { type: 'group', title: `roll-out-${Date.now()}`, participants: people };
  const conversation = await admin?.ask<Made>('POST', '/chat/conversations', channel);
  if (!project || !conversation) throw new Error('the place of the work could not be made');
  return { project: project._id, conversation: conversation._id, workers };
}

const projectBody = ({ id }: Worker, name: string, teamMembers: string[] = []) => ({
  name,
  description: name,
  projectManager: id,
  teamMembers,
  priority: 'low',
  status: 'in-progress',
});

let count = 0;
const next = (word: string) => `${word} ${++count}`;
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

async function toil(base: string, worker: Worker, site: Site, ledger: Ledger, signal: AbortSignal): Promise<void> {
  const jobs = jobsOf(base, worker, site, ledger);
  while (!signal.aborted) {
    await oneOf(jobs)();
    const [least, most] = PAUSE_MS;
    await pause(least + Math.random() * (most - least), undefined, { signal }).catch(() => undefined);
  }
}

function jobsOf(base: string, worker: Worker, site: Site, ledger: Ledger): (() => Promise<unknown>)[] {
  const { first: who } = worker;
  const tasks: { id: string; progress: number }[] = [];
  const remember = (kind: string, path: string, fields: Record<string, unknown>) =>
    ledger.acknowledge({ kind, path, who, fields });

  const makeTask = async () => {
    const title = next('Task');
    const made = await worker.ask<Made>('POST', '/tasks', { title, project: site.project, assignedTo: worker.id });
    if (!made) return;
    tasks.push({ id: made._id, progress: 0 });
    remember('task', `/tasks/${made._id}`, { title });
  };
  const changeTask = async () => {
    const task = oneOf(tasks);
    if (!task) return makeTask();
    const progress = Math.min(task.progress + 5, 100);
    const changed = await worker.ask('PATCH', `/tasks/${task.id}`, { progress });
    if (!changed) return;
    task.progress = progress;
    remember('task', `/tasks/${task.id}`, { progress });
  };
  const comment = async () => {
    const task = oneOf(tasks);
    if (!task) return makeTask();
    const words = next('Comment');
    const made = await worker.ask<Made>('POST', `/tasks/${task.id}/comments`, { comment: words });
    if (made) remember('comment', `/tasks/${task.id}#${made._id}`, { comment: words });
  };
  const makeProject = async () => {
    const name = next('Project of the roll-out');
    const made = await worker.ask<Made>('POST', '/projects', projectBody(worker, name));
    if (made) remember('project', `/projects/${made._id}`, { name });
  };
  const say = async () => {
    const content = next('Message');
    const body = { conversation: site.conversation, content, clientMessageId: newKey() };
    const sent = await worker.ask<Made & { seq: number }>('POST', '/chat/messages', body);
    if (sent) remember('message', `/chat/messages#${sent._id}`, { content, seq: sent.seq });
  };
  const meet = async () => {
    const title = next('Meeting');
    const startTime = new Date(Date.now() + 86_400_000).toISOString();
    const endTime = new Date(Date.now() + 90_000_000).toISOString();
    const link = { meetingLink: 'https://meet.example.org/roll-out', participants: [worker.id] };
    const made = await worker.ask<Made>('POST', '/meetings', { title, type: 'standup', startTime, endTime, ...link });
    if (made) remember('meeting', `/meetings/${made._id}`, { title });
  };
  const upload = async () => {
    const name = `${next('notes')}.txt`;
    const form = new FormData();
    form.set('visibility', 'public');
    form.set('file', new Blob([`the text of ${name}\n`], { type: 'text/plain' }), name);
    const made = await worker.upload<Made>('/documents/upload', form);
    if (made) remember('document', `/documents/${made._id}`, { name });
  };
  const changeProfile = async () => {
    const bio = next('At work since');
    if (await worker.ask('PATCH', '/users/profile', { bio })) remember('profile', `/users/${worker.id}`, { bio });
  };
  const comeBack = async () => {
    const tokens = await signIn(base, who, ledger);
    if (tokens) worker.refreshToken = tokens.refreshToken;
    if (tokens) worker.token = tokens.accessToken;
  };
  const renew = async () => {
    const given = worker.refreshToken;
    const renewed = await worker.ask<{ accessToken: string; refreshToken: string }>(
      'POST',
      '/auth/refresh',
      { refreshToken: given },
      200,
    );
    if (!renewed) return;
    Object.assign(worker, { token: renewed.accessToken, refreshToken: renewed.refreshToken });
  };
  // Many at once, so that the gateway needs more connections to a service than it has, and some lead to the pod that came last.
  const look = () => {
    const list = oneOf([
      '/projects',
      '/tasks',
      '/users',
      '/meetings',
      '/documents',
      '/notifications',
      '/chat/conversations',
    ]);
    return Promise.all(Array.from({ length: AT_ONCE }, () => worker.ask('GET', list)));
  };
  const manages = ['maya'].includes(who) ? [makeProject] : [];
  const often = [makeTask, changeTask, changeTask, comment, say, say, say, look];
  return [...often, ...often, meet, upload, changeProfile, comeBack, renew, renew, ...manages, ...manages];
}

/** What went wrong, at most so many. */
export const faultsIn = (ledger: Ledger, since: number, most = 5): string[] =>
  ledger
    .since(since)
    .filter(({ status }) => isFault(status))
    .slice(0, most)
    .map(({ call, status, body }) => `${call} answered ${status || 'nothing'}: ${JSON.stringify(body).slice(0, 200)}`);
