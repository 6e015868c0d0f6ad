import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { NoticeLevelMenu } from './notice-level-menu.tsx';

const PROJECT = '7'.repeat(24);

let writes: { path: string; body: unknown }[] = [];
let canSave = true;
let stop: () => Promise<void> = async () => undefined;

const server: Handler = async ({ method, path, body }) => {
  if (method === 'GET') return { status: 200, body: { levels: [{ resource: 'project', id: PROJECT, level: 'none' }] } };
  writes.push({ path, body });
  const { level } = body as { level: string };
  if (!canSave) return { status: 400, body: { message: 'No', code: 'validation_failed', requestId: 'r' } };
  return { status: 200, body: { levels: [{ resource: 'project', id: PROJECT, level }] } };
};

beforeEach(async () => {
  act(() => signInAs(buildUser('z')));
  act(() => signInAs(buildUser('a')));
  writes = [];
  canSave = true;
  ({ stop } = await startApi(server));
});
afterEach(async () => {
  cleanup();
  await stop();
});

async function open() {
  const user = userEvent.setup();
  render(
    <SWRConfig value={swrConfig}>
      <NoticeLevelMenu resource="project" id={PROJECT} />
    </SWRConfig>,
  );
  const button = () => screen.getByRole('button', { name: 'Notifications' });
  // It takes its place before the level is known.
  expect(button().getAttribute('aria-disabled')).toBe('true');
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBeNull());
  await user.click(button());
  return user;
}
const chosen = () => screen.getByRole('menuitemradio', { checked: true }).textContent;

it('shows the level of a project, and changes it', async () => {
  const user = await open();
  expect(chosen()).toBe('Nothing');
  await user.click(screen.getByRole('menuitemradio', { name: 'Mentions and assignments' }));
  await waitFor(() =>
    expect(writes).toEqual([
      { path: `/api/users/profile/notices/levels/project/${PROJECT}`, body: { level: 'mentions' } },
    ]),
  );
  expect(chosen()).toBe('Mentions and assignments');
});

it('shows the level again that could not be changed', async () => {
  canSave = false;
  const user = await open();
  await user.click(screen.getByRole('menuitemradio', { name: 'Everything' }));
  await waitFor(() => expect(writes).toHaveLength(1));
  await waitFor(() => expect(chosen()).toBe('Nothing'));
});
