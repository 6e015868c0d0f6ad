import { demoEmail } from '@atrium/tools/demo/people';
import { buildMeeting, buildProject, uploadForm } from '../workspace/builders.ts';
import type { WriteTracker } from './acknowledged-writes.ts';
import { newKey } from './call.ts';
import { signIn, type Worker } from './workers.ts';

/** The project and conversation of the simulation, so that existing data stays unchanged. */
export type SimulationFixture = { project: string; conversation: string; workers: Worker[] };

/** One kind of action; resolves to whether it was acknowledged. */
export type Job = {
  kind: string;
  isWrite: boolean /** How often it comes. */;
  weight: number;
  run(): Promise<boolean>;
};

export type JobContext = {
  base: string;
  tracker: WriteTracker;
  /** How many lists a user opens at a time. */
  concurrency: number;
  /** Whether new users are invited, too. */
  invites: boolean;
};

/** A created resource. */
export type CreatedResource = { _id: string };
type Session = { accessToken: string; refreshToken: string };

const LISTS = ['/projects', '/tasks', '/users', '/meetings', '/documents', '/notifications', '/chat/conversations'];

let count = 0;
/** Unique texts, by which duplicates are found. */
export const uniqueText = (word: string) => `${word} ${++count}`;
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** The actions of a user. Writes are named after the kind of resource that they create. */
export function createJobs(
  worker: Worker,
  site: SimulationFixture,
  { base, tracker, concurrency, invites }: JobContext,
): Job[] {
  const { first: who } = worker;
  const tasks: { id: string; progress: number }[] = [];
  const remember = (kind: string, path: string, fields: Record<string, unknown>, when: { asked?: number } = {}) => {
    tracker.acknowledge({ kind, path, who, fields, ...when });
    return true;
  };

  const makeTask = async () => {
    const title = uniqueText('Task');
    const made = await worker.write<CreatedResource>('POST', '/tasks', {
      title,
      project: site.project,
      assignedTo: worker.id,
    });
    if (!made) return false;
    tasks.push({ id: made._id, progress: 0 });
    return remember('task', `/tasks/${made._id}`, { title });
  };
  const changeTask = async () => {
    const task = oneOf(tasks);
    if (!task) return makeTask();
    const path = `/tasks/${task.id}`;
    const progress = Math.min(task.progress + 5, 100);
    if (!(await worker.write('PATCH', path, { progress }))) tracker.markUncertain(path, ['progress']);
    else {
      task.progress = progress;
      return remember('task', path, { progress });
    }
    return false;
  };
  const comment = async () => {
    const task = oneOf(tasks);
    if (!task) return makeTask();
    const words = uniqueText('Comment');
    const made = await worker.write<CreatedResource>('POST', `/tasks/${task.id}/comments`, { comment: words });
    return made ? remember('comment', `/tasks/${task.id}#${made._id}`, { comment: words }) : false;
  };
  const makeProject = async () => {
    const name = uniqueText('Project at work');
    const made = await worker.write<CreatedResource>('POST', '/projects', buildProject(name, worker));
    return made ? remember('project', `/projects/${made._id}`, { name }) : false;
  };
  const say = async () => {
    const content = uniqueText('Message');
    const asked = performance.now();
    const body = { conversation: site.conversation, content, clientMessageId: newKey() };
    const sent = await worker.write<CreatedResource & { seq: number }>('POST', '/chat/messages', body);
    return sent ? remember('message', `/chat/messages#${sent._id}`, { content, seq: sent.seq }, { asked }) : false;
  };
  const meet = async () => {
    const title = uniqueText('Meeting');
    const made = await worker.write<CreatedResource>(
      'POST',
      '/meetings',
      buildMeeting(title, { participants: [worker.id] }),
    );
    return made ? remember('meeting', `/meetings/${made._id}`, { title }) : false;
  };
  const upload = async () => {
    const name = `${uniqueText('notes')}.txt`;
    const made = await worker.upload<CreatedResource>('/documents/upload', uploadForm(name, { visibility: 'public' }));
    return made ? remember('document', `/documents/${made._id}`, { name }) : false;
  };
  const changeProfile = async () => {
    const bio = uniqueText('At work since');
    const path = `/users/${worker.id}`;
    if (await worker.write('PATCH', '/users/profile', { bio })) return remember('profile', path, { bio });
    tracker.markUncertain(path, ['bio']);
    return false;
  };
  const invite = async () => {
    const email = demoEmail(`${uniqueText('newcomer').replace(' ', '-')}`);
    const body = { email, firstName: 'New', lastName: 'Comer', role: 'member' };
    const invited = await worker.write('POST', '/auth/invite', body, { done: 409 });
    return invited ? remember('invitation', `/users?search=${encodeURIComponent(email)}`, { email }) : false;
  };
  const comeBack = async () => {
    const tokens = await signIn(base, who, tracker);
    if (tokens) Object.assign(worker, { token: tokens.accessToken, refreshToken: tokens.refreshToken });
    return tokens !== undefined;
  };
  const renew = async () => {
    const { refreshToken } = worker;
    const renewed = await worker.write<Session>('POST', '/auth/refresh', { refreshToken }, { expected: 200 });
    if (renewed) Object.assign(worker, { token: renewed.accessToken, refreshToken: renewed.refreshToken });
    return renewed !== undefined;
  };
  // Many concurrent requests, so that the gateway opens new connections, some of them to the newest pod.
  const look = async () => {
    const list = oneOf(LISTS);
    const seen = await Promise.all(Array.from({ length: concurrency }, () => worker.read(list)));
    return seen.every((response) => response !== undefined);
  };

  const write = (kind: string, weight: number, run: () => Promise<boolean>): Job => ({
    kind,
    isWrite: true,
    weight,
    run,
  });
  return [
    write('task', 2, makeTask),
    write('change of a task', 4, changeTask),
    write('comment', 2, comment),
    write('message', 6, say),
    { kind: 'lists', isWrite: false, weight: 2, run: look },
    write('document', 1, upload),
    write('profile', 1, changeProfile),
    write('sign-in', 1, comeBack),
    write('renewal', 2, renew),
    ...(worker.role === 'member' ? [] : [write('meeting', 3, meet)]),
    ...(who === 'maya' ? [write('project', 2, makeProject)] : []),
    ...(who === 'maya' && invites ? [write('invitation', 2, invite)] : []),
  ];
}
