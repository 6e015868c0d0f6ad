import { demoEmail } from '@atrium/tools/demo/people';
import { buildMeeting, buildProject, uploadForm } from '../workspace/builders.ts';
import type { WriteTracker } from './acknowledged-writes.ts';
import { newIdempotencyKey } from './call.ts';
import { signIn, type Worker } from './workers.ts';

/** The users, the project, and the conversation of the simulation, which leaves existing data unchanged. */
export type SimulationFixture = { project: string; conversation: string; workers: Worker[] };

/** A kind of action that a user repeats. */
export type Job = {
  kind: string;
  isWrite: boolean;
  /** The relative frequency of the action. */
  weight: number;
  /** Resolves to whether the action was acknowledged. */
  run(): Promise<boolean>;
};

export type JobContext = {
  base: string;
  tracker: WriteTracker;
  /** How often a user requests a list at the same time. */
  concurrency: number;
  /** Whether the administrator also invites new users. */
  invites: boolean;
};

/** A created resource. */
export type CreatedResource = { _id: string };
type Session = { accessToken: string; refreshToken: string };

const LISTS = ['/projects', '/tasks', '/users', '/meetings', '/documents', '/notifications', '/chat/conversations'];

let count = 0;
/** Returns a unique text, so that duplicates of a write can be found. */
export const uniqueText = (word: string) => `${word} ${++count}`;
const pickRandom = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Creates the actions of a user. Writes are named after the kind of resource that they create or change. */
export function createJobs(
  worker: Worker,
  fixture: SimulationFixture,
  { base, tracker, concurrency, invites }: JobContext,
): Job[] {
  const { first: who } = worker;
  const tasks: { id: string; progress: number }[] = [];
  const acknowledge = (
    kind: string,
    path: string,
    fields: Record<string, unknown>,
    times: { requestedAt?: number } = {},
  ) => {
    tracker.acknowledge({ kind, path, who, fields, ...times });
    return true;
  };

  const createTask = async () => {
    const title = uniqueText('Task');
    const created = await worker.write<CreatedResource>('POST', '/tasks', {
      title,
      project: fixture.project,
      assignedTo: worker.id,
    });
    if (!created) return false;
    tasks.push({ id: created._id, progress: 0 });
    return acknowledge('task', `/tasks/${created._id}`, { title });
  };
  const changeTask = async () => {
    const task = pickRandom(tasks);
    if (!task) return createTask();
    const path = `/tasks/${task.id}`;
    const progress = Math.min(task.progress + 5, 100);
    if (!(await worker.write('PATCH', path, { progress }))) tracker.markUncertain(path, ['progress']);
    else {
      task.progress = progress;
      return acknowledge('task', path, { progress });
    }
    return false;
  };
  const addComment = async () => {
    const task = pickRandom(tasks);
    if (!task) return createTask();
    const text = uniqueText('Comment');
    const created = await worker.write<CreatedResource>('POST', `/tasks/${task.id}/comments`, { comment: text });
    return created ? acknowledge('comment', `/tasks/${task.id}#${created._id}`, { comment: text }) : false;
  };
  const createProject = async () => {
    const name = uniqueText('Simulated project');
    const created = await worker.write<CreatedResource>('POST', '/projects', buildProject(name, worker));
    return created ? acknowledge('project', `/projects/${created._id}`, { name }) : false;
  };
  const sendMessage = async () => {
    const content = uniqueText('Message');
    const requestedAt = performance.now();
    const body = { conversation: fixture.conversation, content, clientMessageId: newIdempotencyKey() };
    const sent = await worker.write<CreatedResource & { seq: number }>('POST', '/chat/messages', body);
    return sent
      ? acknowledge('message', `/chat/messages#${sent._id}`, { content, seq: sent.seq }, { requestedAt })
      : false;
  };
  const scheduleMeeting = async () => {
    const title = uniqueText('Meeting');
    const created = await worker.write<CreatedResource>(
      'POST',
      '/meetings',
      buildMeeting(title, { participants: [worker.id] }),
    );
    return created ? acknowledge('meeting', `/meetings/${created._id}`, { title }) : false;
  };
  const uploadDocument = async () => {
    const name = `${uniqueText('notes')}.txt`;
    const created = await worker.upload<CreatedResource>(
      '/documents/upload',
      uploadForm(name, { visibility: 'public' }),
    );
    return created ? acknowledge('document', `/documents/${created._id}`, { name }) : false;
  };
  const changeProfile = async () => {
    const bio = uniqueText('Simulated bio');
    const path = `/users/${worker.id}`;
    if (await worker.write('PATCH', '/users/profile', { bio })) return acknowledge('profile', path, { bio });
    tracker.markUncertain(path, ['bio']);
    return false;
  };
  const invite = async () => {
    const email = demoEmail(`${uniqueText('newcomer').replace(' ', '-')}`);
    const body = { email, firstName: 'New', lastName: 'Comer', role: 'member' };
    const invited = await worker.write('POST', '/auth/invite', body, { alreadyDone: 409 });
    return invited ? acknowledge('invitation', `/users?search=${encodeURIComponent(email)}`, { email }) : false;
  };
  const signInAgain = async () => {
    const tokens = await signIn(base, who, tracker);
    if (tokens) Object.assign(worker, { token: tokens.accessToken, refreshToken: tokens.refreshToken });
    return tokens !== undefined;
  };
  const refreshSession = async () => {
    const { refreshToken } = worker;
    const session = await worker.write<Session>('POST', '/auth/refresh', { refreshToken }, { expected: 200 });
    if (session) Object.assign(worker, { token: session.accessToken, refreshToken: session.refreshToken });
    return session !== undefined;
  };
  // Sends concurrent requests, so that the gateway opens new connections, some of them to the newest pod.
  const readList = async () => {
    const list = pickRandom(LISTS);
    const responses = await Promise.all(Array.from({ length: concurrency }, () => worker.read(list)));
    return responses.every((response) => response !== undefined);
  };

  const write = (kind: string, weight: number, run: () => Promise<boolean>): Job => ({
    kind,
    isWrite: true,
    weight,
    run,
  });
  return [
    write('task', 2, createTask),
    write('change of a task', 4, changeTask),
    write('comment', 2, addComment),
    write('message', 6, sendMessage),
    { kind: 'lists', isWrite: false, weight: 2, run: readList },
    write('document', 1, uploadDocument),
    write('profile', 1, changeProfile),
    write('sign-in', 1, signInAgain),
    write('renewal', 2, refreshSession),
    ...(worker.role === 'member' ? [] : [write('meeting', 3, scheduleMeeting)]),
    ...(who === 'maya' ? [write('project', 2, createProject)] : []),
    ...(who === 'maya' && invites ? [write('invitation', 2, invite)] : []),
  ];
}
