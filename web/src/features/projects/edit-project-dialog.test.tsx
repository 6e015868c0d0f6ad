import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildProject } from '#test/build-project.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { EditProjectDialog } from './edit-project-dialog.tsx';

const project = buildProject({ name: 'Portal' });

let status: number;
let stop: () => Promise<void>;

beforeEach(async () => {
  status = 200;
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(({ path }) => {
    if (!path.endsWith(`/projects/${project._id}`)) return { status: 404 };
    return status === 200
      ? { status, body: project }
      : { status, body: { message: 'Not now', code: 'some', requestId: 'r' } };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function open() {
  const element = <EditProjectDialog id={project._id} onClose={() => undefined} />;
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <SWRConfig value={swrConfig}>
      <RouterProvider router={router} />
    </SWRConfig>,
  );
}

const title = () => screen.findByRole<HTMLInputElement>('textbox', { name: /Project title/ });

it('project dialog shows that a project is loading, then the failure, and retries', async () => {
  status = 403;
  open();
  expect(await screen.findByText('Loading the project')).toBeTruthy();
  expect(await screen.findByText('Failed to load the project')).toBeTruthy();
  status = 200;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await title()).value).toBe('Portal');
});

it('project dialog reports that the project no longer exists', async () => {
  status = 404;
  open();
  expect(await screen.findByText('This project no longer exists')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('project dialog offers to choose a project manager only after the previous one has left', async () => {
  open();
  expect(await screen.findByText('Project Manager cannot be changed.')).toBeTruthy();
  cleanup();
  project.abilities.changeManager = true;
  open();
  expect(await screen.findByText('Lena Brandt has left. Choose a new project manager.')).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Project manager' })).toBeTruthy();
});
