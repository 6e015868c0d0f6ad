import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { AddMemberGroup } from './add-member-group.tsx';

const conversation = buildConversation();
const department = { _id: 'd'.repeat(24), name: 'Design', isActive: true };
const project = { _id: 'e'.repeat(24), name: 'Apollo' };

let added: string[] = [];
let failing: string | undefined;
let stop: () => Promise<void> = async () => undefined;

const pageOf = (data: unknown[]) => ({ data, total: data.length, page: 1, totalPages: 1 });

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  added = [];
  failing = 'project';
  ({ stop } = await startApi(({ method, path, body }) => {
    if (method === 'GET') return { status: 200, body: pageOf(path.includes('departments') ? [department] : [project]) };
    const { type } = body as { type: string };
    if (type === failing) return { status: 404, body: { code: 'not_found', message: 'Project not found' } };
    added.push(type);
    return { status: 200, body: conversation };
  }));
});

afterEach(async () => {
  cleanup();
  act(dismissToasts);
  await stop();
});

async function choose(label: RegExp, name: string): Promise<void> {
  await userEvent.type(screen.getByRole('combobox', { name: label }), name.slice(0, 3));
  await userEvent.click(await screen.findByRole('option', { name }));
}

it('a project that could not be added is named and stays selected, and the department is not added again', async () => {
  render(<AddMemberGroup conversation={conversation} />, withQueryCache);
  await userEvent.click(screen.getByRole('button', { name: 'Add department or project' }));
  await choose(/^Department/, 'Design');
  await choose(/^Project/, 'Apollo');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('Failed to add the project: Project not found')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Department/ }).value).toBe('');
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Project/ }).value).toBe('Apollo');
  failing = undefined;
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(added).toEqual(['department', 'project']));
});
