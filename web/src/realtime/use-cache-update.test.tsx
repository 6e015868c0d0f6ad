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
/** The server's project, and the requests held while it is slow. */
let project: Project;
let pending: (() => void)[] | undefined;
let isFailing: boolean;
let update: ReturnType<typeof useCacheUpdate<Project>>;
let invalidate: ReturnType<typeof useRefetchPaths>;

beforeEach(async () => {
  [project, pending, isFailing] = [buildProject({ name: 'First' }), undefined, false];
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

function Shown() {
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

const open = (beside?: ReactNode) =>
  render(
    <SWRConfig value={swrConfig}>
      <Shown />
      {beside}
    </SWRConfig>,
  );
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());
const expectPending = (count: number) => waitFor(() => expect(pending).toHaveLength(count));
const answerAll = () => act(async () => pending?.splice(0).forEach((response) => void response()));

/** Every rendered text, so that no outdated value passes unnoticed. */
function history() {
  const rendered: string[] = [];
  const look = () => rendered.push(document.body.textContent ?? '');
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  return { rendered, end: () => observer.disconnect() };
}

it('shows a saved item while the list loads, and no older version afterwards', async () => {
  open();
  await shows('First');
  pending = [];
  act(() => invalidate('/projects'));
  await expectPending(1);
  const { rendered, end } = history();
  project = { ...project, name: 'Second', version: 2 };
  act(() => {
    update.saved(project);
    invalidate('/projects');
  });
  await shows('Second');
  await answerAll();
  await expectPending(1);
  project = { ...project, name: 'Third', version: 3 };
  act(() => update.saved({ ...project, name: 'Late', version: 1 }));
  act(() => invalidate('/projects'));
  await answerAll();
  await expectPending(1);
  await answerAll();
  await shows('Third');
  end();
  expect(new Set(rendered)).toEqual(new Set(['Second', 'Third']));
});

it('applies the saved item to the first response when that predates it', async () => {
  pending = [];
  open();
  await expectPending(1);
  act(() => update.saved({ ...project, name: 'Second', version: 2 }));
  const { rendered, end } = history();
  await answerAll();
  await shows('Second');
  end();
  expect(new Set(rendered)).toEqual(new Set(['Second']));
});

it('removes a deleted item immediately, and no outdated response restores it', async () => {
  open();
  await shows('First');
  pending = [];
  act(() => invalidate('/projects'));
  await expectPending(1);
  act(() => {
    update.gone(({ _id }) => _id === project._id);
    invalidate('/projects');
  });
  await shows('None');
  const { rendered, end } = history();
  await answerAll();
  await expectPending(1);
  end();
  expect(rendered).toEqual([]);
});

it('keeps the saved item when the list fails to refetch', async () => {
  open();
  await shows('First');
  [isFailing, pending] = [true, []];
  act(() => {
    update.saved({ ...project, name: 'Second', version: 2 });
    invalidate('/projects');
  });
  await expectPending(1);
  await answerAll();
  await expectPending(1);
  expect(screen.getByText('Second')).toBeTruthy();
});

it('ignores a response when a later version is known', async () => {
  project = { ...project, version: 3 };
  open(<Completed />);
  await shows('First');
  await shows('0 completed');
  act(() => update.saved({ ...project, name: 'Older', status: 'completed', version: 2 }));
  expect(document.body.textContent).toBe('First0 completed');
  act(() => update.saved({ ...project, name: 'Later', status: 'completed', version: 4 }));
  expect(document.body.textContent).toBe('Later1 completed');
});
