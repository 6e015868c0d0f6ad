import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { NewChannelDialog } from './new-conversation-dialogs.tsx';

const department = { _id: 'd'.repeat(24), name: 'Design', isActive: true };
const project = { _id: 'e'.repeat(24), name: 'Apollo' };
let created: unknown[] = [];
let stop: () => Promise<void> = async () => undefined;

const pageOf = (data: unknown[]) => ({ data, total: data.length, page: 1, totalPages: 1 });

beforeEach(async () => {
  localStorage.clear();
  act(() => signInAs(buildUser('a')));
  created = [];
  ({ stop } = await startApi(({ method, path, body }) => {
    if (method === 'POST') created.push(body);
    if (method === 'POST') return { status: 201, body: buildConversation() };
    if (path.includes('departments')) return { status: 200, body: pageOf([department]) };
    return { status: 200, body: pageOf(path.includes('projects') ? [project] : []) };
  }));
});

afterEach(async () => {
  cleanup();
  await stop();
});

async function choose(label: RegExp, name: string): Promise<void> {
  await userEvent.type(screen.getByRole('combobox', { name: label }), name.slice(0, 3));
  await userEvent.click(await screen.findByRole('option', { name }));
}

it('a channel is created with a department and a project as members', async () => {
  let createdCount = 0;
  render(
    <SWRConfig value={swrConfig}>
      <NewChannelDialog onClose={() => undefined} onCreated={() => (createdCount += 1)} />
    </SWRConfig>,
    { wrapper: MemoryRouter },
  );
  await userEvent.type(screen.getByRole('textbox', { name: /^Channel name/ }), 'launch');
  await choose(/^Department/, 'Design');
  await choose(/^Project/, 'Apollo');
  await userEvent.click(screen.getByRole('button', { name: 'Create Channel' }));
  await waitFor(() => expect(createdCount).toBe(1));
  expect(created).toMatchObject([
    {
      type: 'group',
      title: 'launch',
      memberGroups: [
        { type: 'department', _id: department._id },
        { type: 'project', _id: project._id },
      ],
    },
  ]);
});
