import type { listProjects, Project } from '@atrium/proto-events/http/projects';
import type { Change } from '@atrium/proto-events/realtime';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { QueryCache } from '#lib/query/query-cache.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { useRefetch } from '#lib/query/use-refetch.ts';
import { startApi } from '../../test/api-server.ts';
import { buildProject } from '../../test/build-project.ts';
import { buildUser } from '../../test/build-user.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { setStatus } from './connection/status.ts';
import { applyChanges } from './live-changes.ts';
import { useWrite } from './use-write.ts';

const ME = buildUser('e', { role: 'admin' });

let stop: () => Promise<void>;
/** The projects on the server. */
let projects: Project[];
/** Requests that wait for the test, if it has set a list. */
let pending: (() => void)[] | undefined;
let isFailing: boolean;
let requestCount: number;
let cache: QueryCache;
let write: ReturnType<typeof useWrite<Project>>;
let refetch: ReturnType<typeof useRefetch>;

beforeEach(async () => {
  projects = [buildProject({ name: 'First' })];
  pending = undefined;
  isFailing = false;
  requestCount = 0;
  cache = new QueryCache();
  act(() => signInAs(ME));
  act(() => setStatus('connected'));
  ({ stop } = await startApi(async ({ path }) => {
    requestCount += 1;
    const { searchParams } = new URL(path, 'http://localhost');
    const requestedStatus = searchParams.get('status');
    const matching = projects.filter(({ status }) => requestedStatus === null || requestedStatus === status);
    const data = matching.slice(0, Number(searchParams.get('limit')));
    const response = isFailing
      ? { status: 404, body: { message: 'Broken', code: 'not_found', requestId: 'r' } }
      : { status: 200, body: { data, total: matching.length, page: 1, totalPages: 1 } };
    if (pending) await new Promise<void>((resolve) => pending?.push(resolve));
    return response;
  }));
});

afterEach(async () => {
  cleanup();
  act(() => setStatus('disconnected'));
  await stop();
});

function ProjectNames() {
  write = useWrite<Project>('project');
  refetch = useRefetch();
  const { data, error } = useRead<typeof listProjects>('GET /projects', { query: { limit: 2, people: 6 } });
  if (!data) return <p>{error ? 'Failed' : 'Loading'}</p>;
  return <p>{`${data.data.map(({ name }) => name).join(' ') || 'None'} of ${data.total}`}</p>;
}

function Completed() {
  const query = { limit: 6, people: 6, status: 'completed' as const };
  const { data } = useRead<typeof listProjects>('GET /projects', { query });
  return <p>{data && `${data.total} completed`}</p>;
}

const open = (sibling?: ReactNode) =>
  render(
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
      <ProjectNames />
      {sibling}
    </SWRConfig>,
  );
const waitForText = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());
const expectPending = (count: number) => waitFor(() => expect(pending).toHaveLength(count));
const respondToAll = () => act(async () => pending?.splice(0).forEach((respond) => void respond()));
const project = (overrides: Partial<Project>) => ({ ...buildProject({ name: 'First' }), ...overrides });
const second = project({ name: 'Second', version: 2 });

/** Records every rendered text, so that no outdated value goes unnoticed. */
function recordTexts() {
  const renderedTexts: string[] = [];
  const record = () => renderedTexts.push(document.body.textContent ?? '');
  const observer = new MutationObserver(record);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  return { renderedTexts, stopRecording: () => observer.disconnect() };
}

it('useWrite shows a saved item without a request', async () => {
  open();
  await waitForText('First of 1');
  act(() => write.saved(second));
  expect(screen.getByText('Second of 1')).toBeTruthy();
  act(() => write.saved(project({ name: 'Late' })));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect([screen.getByText('Second of 1').textContent, requestCount]).toEqual(['Second of 1', 1]);
});

it('useWrite shows a saved item while the list loads, and no older version afterward', async () => {
  open();
  await waitForText('First of 1');
  pending = [];
  act(() => refetch('/projects'));
  await expectPending(1);
  const { renderedTexts, stopRecording } = recordTexts();
  projects = [second];
  act(() => {
    write.saved(second);
    refetch('/projects');
  });
  await waitForText('Second of 1');
  await respondToAll();
  await expectPending(1);
  projects = [project({ name: 'Third', version: 3 })];
  act(() => write.saved(project({ name: 'Late' })));
  act(() => refetch('/projects'));
  await respondToAll();
  await expectPending(1);
  await respondToAll();
  await waitForText('Third of 1');
  stopRecording();
  expect(new Set(renderedTexts)).toEqual(new Set(['Second of 1', 'Third of 1']));
});

it('useWrite applies a saved item to the first response if that predates it', async () => {
  pending = [];
  open();
  await expectPending(1);
  act(() => write.saved(second));
  const { renderedTexts, stopRecording } = recordTexts();
  await respondToAll();
  await waitForText('Second of 1');
  stopRecording();
  expect(new Set(renderedTexts)).toEqual(new Set(['Second of 1']));
});

it('useWrite adds a created item once, whether its change arrives before or after', async () => {
  projects = [project({}), project({ _id: '2'.repeat(24), name: 'Other' }), project({ _id: '3'.repeat(24) })];
  open();
  await waitForText('First Other of 3');
  const created = project({ _id: '4'.repeat(24), name: 'New', updatedAt: '2026-06-01T00:00:00.000Z' });
  const { membership: _m, abilities: _a, denialReasons: _d, ...item } = created;
  const change: Change = {
    resource: 'project',
    id: created._id,
    action: 'created',
    version: 1,
    tags: ['projects'],
    item,
  };
  act(() => write.created(created));
  act(() => applyChanges(cache, { changes: [change] }, ME));
  act(() => write.created(created));
  expect([screen.getByText(/ of /).textContent, requestCount]).toEqual(['New First of 4', 1]);
});

it('useWrite removes a deleted item immediately, and no outdated response restores it', async () => {
  open();
  await waitForText('First of 1');
  pending = [];
  act(() => refetch('/projects'));
  await expectPending(1);
  act(() => {
    write.deleted(({ _id }) => _id === projects[0]?._id);
    refetch('/projects');
  });
  await waitForText('None of 0');
  const { renderedTexts, stopRecording } = recordTexts();
  await respondToAll();
  await expectPending(1);
  stopRecording();
  expect(renderedTexts).toEqual([]);
});

it('useWrite shows a change whose outcome is known', async () => {
  open();
  await waitForText('First of 1');
  act(() => write.changed(projects[0]?._id ?? '', (shown) => ({ ...shown, name: 'Changed' })));
  expect([screen.getByText('Changed of 1').textContent, requestCount]).toEqual(['Changed of 1', 1]);
});

it('useWrite keeps a saved item when the list fails to refetch', async () => {
  open();
  await waitForText('First of 1');
  isFailing = true;
  pending = [];
  act(() => {
    write.saved(second);
    refetch('/projects');
  });
  await expectPending(1);
  await respondToAll();
  await waitFor(() => expect(cache.get('/projects?limit=2&people=6')?.error).toBeDefined());
  expect(screen.getByText('Second of 1')).toBeTruthy();
});

it('useWrite ignores a saved item when a later version is shown', async () => {
  projects = [project({ version: 3 })];
  open(<Completed />);
  await waitForText('First of 1');
  await waitForText('0 completed');
  act(() => write.saved(project({ name: 'Older', status: 'completed', version: 2 })));
  expect(document.body.textContent).toBe('First of 10 completed');
  act(() => write.saved(project({ name: 'Later', status: 'completed', version: 4 })));
  expect(document.body.textContent).toBe('Later of 11 completed');
});

it('useWrite also requests the responses again without a connection for live updates', async () => {
  act(() => setStatus('disconnected'));
  open();
  await waitForText('First of 1');
  projects = [project({ name: 'Later', version: 3 })];
  act(() => write.saved(second));
  expect(screen.getByText('Second of 1')).toBeTruthy();
  await waitForText('Later of 1');
  projects = [];
  act(() => write.deleted(() => false));
  await waitForText('None of 0');
  projects = [project({ name: 'Created' })];
  act(() => write.created(project({ _id: '5'.repeat(24) })));
  await waitForText('Created of 1');
  expect(requestCount).toBe(4);
});

it('useRefetch requests paths again that are shown, and others when they are shown', async () => {
  const { rerender } = open(<Completed />);
  await waitForText('0 completed');
  rerender(
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
      <ProjectNames />
    </SWRConfig>,
  );
  projects = [project({ name: 'Changed', status: 'completed' })];
  act(() => refetch('/users', '/projects'));
  await waitForText('Changed of 1');
  expect(requestCount).toBe(3);
  rerender(
    <SWRConfig value={{ ...swrConfig, provider: () => cache }}>
      <ProjectNames />
      <Completed />
    </SWRConfig>,
  );
  await waitForText('1 completed');
  expect(requestCount).toBe(4);
});
