import type { listProjects, Project } from '@atrium/proto-events/http/projects';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { useRead } from '#lib/query/use-read.ts';
import { startApi } from '../../test/api-server.ts';
import { buildProject } from '../../test/build-project.ts';
import { buildUser } from '../../test/build-user.ts';
import { signInAs } from '../../test/sign-in-as.ts';
import { useCacheUpdate } from './use-cache-update.ts';
import { useRefetchPaths } from './use-refetch.ts';

let stop: () => Promise<void>;
/** The project on the server. */
let project: Project;
/** Requests that wait for the test, if it has set a list. */
let pending: (() => void)[] | undefined;
let isFailing: boolean;
let update: ReturnType<typeof useCacheUpdate<Project>>;
let invalidate: ReturnType<typeof useRefetchPaths>;

beforeEach(async () => {
  project = buildProject({ name: 'First' });
  pending = undefined;
  isFailing = false;
  act(() => signInAs(buildUser('p')));
  ({ stop } = await startApi(async ({ path }) => {
    const data = path.includes('status=completed') ? [] : [project];
    const response = isFailing
      ? { status: 500, body: { message: 'Broken', code: 'internal', requestId: 'r' } }
      : { status: 200, body: { data, total: data.length, page: 1, totalPages: 1 } };
    if (pending) await new Promise<void>((resolve) => pending?.push(resolve));
    return response;
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function ProjectNames() {
  update = useCacheUpdate<Project>('project');
  invalidate = useRefetchPaths();
  const { data, error } = useRead<typeof listProjects>('GET /projects', { query: { limit: 6 } });
  if (!data) return <p>{error ? 'Failed' : 'Loading'}</p>;
  return <p>{data.data.map(({ name }) => name).join(' ') || 'None'}</p>;
}

function Completed() {
  const { data } = useRead<typeof listProjects>('GET /projects', { query: { limit: 6, status: 'completed' } });
  return <p>{data && `${data.total} completed`}</p>;
}

const open = (sibling?: ReactNode) =>
  render(
    <SWRConfig value={swrConfig}>
      <ProjectNames />
      {sibling}
    </SWRConfig>,
  );
const waitForText = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());
const expectPending = (count: number) => waitFor(() => expect(pending).toHaveLength(count));
const respondToAll = () => act(async () => pending?.splice(0).forEach((respond) => void respond()));

/** Records every rendered text, so that no outdated value goes unnoticed. */
function recordTexts() {
  const renderedTexts: string[] = [];
  const record = () => renderedTexts.push(document.body.textContent ?? '');
  const observer = new MutationObserver(record);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  return { renderedTexts, stopRecording: () => observer.disconnect() };
}

it('useCacheUpdate shows a saved item while the list loads, and no older version afterward', async () => {
  open();
  await waitForText('First');
  pending = [];
  act(() => invalidate('/projects'));
  await expectPending(1);
  const { renderedTexts, stopRecording } = recordTexts();
  project = { ...project, name: 'Second', version: 2 };
  act(() => {
    update.applySaved(project);
    invalidate('/projects');
  });
  await waitForText('Second');
  await respondToAll();
  await expectPending(1);
  project = { ...project, name: 'Third', version: 3 };
  act(() => update.applySaved({ ...project, name: 'Late', version: 1 }));
  act(() => invalidate('/projects'));
  await respondToAll();
  await expectPending(1);
  await respondToAll();
  await waitForText('Third');
  stopRecording();
  expect(new Set(renderedTexts)).toEqual(new Set(['Second', 'Third']));
});

it('useCacheUpdate applies a saved item to the first response if that predates it', async () => {
  pending = [];
  open();
  await expectPending(1);
  act(() => update.applySaved({ ...project, name: 'Second', version: 2 }));
  const { renderedTexts, stopRecording } = recordTexts();
  await respondToAll();
  await waitForText('Second');
  stopRecording();
  expect(new Set(renderedTexts)).toEqual(new Set(['Second']));
});

it('useCacheUpdate removes a deleted item immediately, and no outdated response restores it', async () => {
  open();
  await waitForText('First');
  pending = [];
  act(() => invalidate('/projects'));
  await expectPending(1);
  act(() => {
    update.applyDeletion(({ _id }) => _id === project._id);
    invalidate('/projects');
  });
  await waitForText('None');
  const { renderedTexts, stopRecording } = recordTexts();
  await respondToAll();
  await expectPending(1);
  stopRecording();
  expect(renderedTexts).toEqual([]);
});

it('useCacheUpdate keeps a saved item when the list fails to refetch', async () => {
  open();
  await waitForText('First');
  isFailing = true;
  pending = [];
  act(() => {
    update.applySaved({ ...project, name: 'Second', version: 2 });
    invalidate('/projects');
  });
  await expectPending(1);
  await respondToAll();
  await expectPending(1);
  expect(screen.getByText('Second')).toBeTruthy();
});

it('useCacheUpdate ignores a saved item when a later version is cached', async () => {
  project = { ...project, version: 3 };
  open(<Completed />);
  await waitForText('First');
  await waitForText('0 completed');
  act(() => update.applySaved({ ...project, name: 'Older', status: 'completed', version: 2 }));
  expect(document.body.textContent).toBe('First0 completed');
  act(() => update.applySaved({ ...project, name: 'Later', status: 'completed', version: 4 }));
  expect(document.body.textContent).toBe('Later1 completed');
});
