import { buildPng } from '@atrium/test-kit/build-png';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { createClient } from '@atrium/tools/demo/client';
import { runDemo } from '@atrium/tools/demo/demo';
import { DEMO_PASSWORD } from '@atrium/tools/demo/people';
import { HIGH_LIMITS } from '../../workspace/builders.ts';

type Tokens = { accessToken: string; refreshToken: string };
type ListResponse = { data: { _id: string }[] };

/** The demo workspace with additional texts of maximum length, and two users who view it. */
export type DemoWorkspace = { system: System; admin: Tokens; member: Tokens; project: string; task: string };

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

export async function startDemoWorkspace(): Promise<DemoWorkspace> {
  const system = await startSystem({ env: { ...HIGH_LIMITS, ALLOW_PAST_MEETINGS: 'true' } });
  await runDemo({ baseUrl: system.url, print: () => undefined });
  const signIn = (email: string) =>
    createClient(system.url).post<Tokens>('/auth/login', { email, password: DEMO_PASSWORD });
  const [admin, member] = await Promise.all([signIn('maya@atrium.example'), signIn('lena@atrium.example')]);
  const { project, task } = await createLongContent(system.url, admin);
  return { system, admin, member, project, task };
}

async function createLongContent(url: string, { accessToken }: Tokens): Promise<{ project: string; task: string }> {
  const api = createClient(url, accessToken);
  const [manager] = await api.get<{ _id: string }[]>('/users/project-managers');
  const { _id: adminId } = await api.get<{ _id: string }>('/users/profile');
  const users = await api.get<ListResponse>('/users?limit=12&status=active');
  const { _id: project } = await api.post<{ _id: string }>('/projects', {
    name: `${LONG_WORD} ${'and what comes after it '.repeat(4)}`.slice(0, 200).trim(),
    description: `${LONG_WORD}. ${'It is a long text, as descriptions are. '.repeat(12)}`,
    projectManager: manager?._id,
    teamMembers: [...new Set([adminId, ...users.data.map(({ _id }) => _id)])],
    priority: 'urgent',
    status: 'in-progress',
    deadline: new Date(Date.now() + 864e5).toISOString(),
  });
  const { _id: task } = await api.post<{ _id: string }>('/tasks', {
    title: `${LONG_WORD}, first part`,
    description: LONG_WORD.repeat(3),
    project,
    assignedTo: users.data[0]?._id,
    priority: 'urgent',
  });
  await api.post(`/tasks/${task}/comments`, { comment: `${LONG_WORD}: ${'and so on, '.repeat(30)}` });
  await api.post('/departments', { name: LONG_WORD });
  await api.post('/auth/invite', {
    email: `${LONG_WORD.slice(0, 50)
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')}@long.example.org`,
    firstName: LONG_WORD,
    lastName: 'von und zu der Langen Namen',
    role: 'member',
  });
  // Created last, so that it is first in the list.
  await api.post('/auth/invite', { email: 'dana@example.org', firstName: 'דנה', lastName: 'לוי', role: 'member' });
  await uploadImage(url, accessToken);
  await sendFiles(url, { token: accessToken, project });
  return { project, task };
}

/** Uploads a document with a thumbnail; the others have none. */
async function uploadImage(url: string, token: string): Promise<void> {
  const form = new FormData();
  form.set(
    'file',
    new Blob([buildPng({ width: 640, height: 480, shade: 90 })], { type: 'image/png' }),
    'גיליון harbour.png',
  );
  await createClient(url, token).upload('/documents/upload', form);
}

/** Sends images and a file with a long name to the project's conversation. */
async function sendFiles(url: string, { token, project }: { token: string; project: string }): Promise<void> {
  const api = createClient(url, token);
  const conversation = await waitFor(
    async () => (await api.get<ListResponse>(`/chat/conversations?project=${project}&limit=1`)).data[0]?._id,
    { description: 'the conversation of the project to be created' },
  );
  const form = new FormData();
  form.set('conversation', conversation);
  form.set('content', 'What the harbour looks like');
  const images = { 'harbour.png': [640, 480], 'pier.png': [300, 520], 'boats.png': [900, 300] } as const;
  for (const [name, [width, height]] of Object.entries(images))
    form.append('attachments', new Blob([buildPng({ width, height, shade: width / 4 })]), name);
  form.append('attachments', new Blob(['the plan']), `${LONG_WORD}.txt`);
  await api.upload('/chat/messages', form);
}
