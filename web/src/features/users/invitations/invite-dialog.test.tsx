import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { isRecord } from '#lib/is-record.ts';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const DEPARTMENT = { _id: 'd'.repeat(24), name: 'Engineering', isActive: true };
const page = (data: readonly unknown[]) => ({ data, total: data.length, page: 1, limit: 100, totalPages: 1 });

const buildInvitation = ({ email, firstName, lastName }: Record<string, unknown>) => ({
  _id: email,
  user: email,
  email,
  firstName,
  lastName,
  delivery: 'sent',
  inviteUrl: `https://a/${String(email)}`,
  expiresAt: '2030-01-01T00:00:00.000Z',
});

let stop: () => Promise<void>;

beforeEach(async () => {
  act(() => signInAs(buildUser('a', { role: 'admin' })));
  ({ stop } = await startApi(({ path, body }) => {
    if (path.startsWith('/api/departments')) return { status: 200, body: page([DEPARTMENT]) };
    if (path === '/api/auth/invites/check') return { status: 200, body: { data: [] } };
    if (path.startsWith('/api/auth/invites')) return { status: 200, body: page([]) };
    return path === '/api/auth/invite' && isRecord(body)
      ? { status: 201, body: buildInvitation(body) }
      : { status: 404 };
  }));
  render(<Page />, withQueryCache);
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  localStorage.clear();
  await stop();
});

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen ? <InviteDialog onClose={() => setOpen(false)} /> : <p>Closed</p>;
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => userEvent.click(await screen.findByRole('radio', { name }));
const fill = async (name: string, text: string) => {
  await userEvent.click(await screen.findByRole('textbox', { name }));
  await userEvent.paste(text);
};

async function chooseDepartment(button: RegExp): Promise<void> {
  await press(button);
  await userEvent.click(await screen.findByRole('option', { name: 'Engineering' }));
}

async function inviteOne(): Promise<void> {
  await fill('Email', 'ann@example.org');
  await fill('First name', 'Ann');
  await fill('Last name', 'Ash');
  await chooseDepartment(/Department/);
  await press('Send Invitation');
}

async function inviteSeveral(): Promise<void> {
  await choose('Several people');
  await fill('People to invite', 'lena.brandt@example.org\nomar.haddad@example.org');
  await press('Preview list');
  await chooseDepartment(/Default department/);
  await press('Send 2 invitations');
  await screen.findByText('2 people have been invited.');
}

it('invite dialog confirms before discarding a list after a single invitation', async () => {
  await choose('Several people');
  await fill('People to invite', 'lena.brandt@example.org');
  await press('Preview list');
  await choose('One person');
  await inviteOne();
  await press('Done');
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
  await press('Keep editing');
  await choose('Several people');
  await screen.findByText('lena.brandt@example.org');
});

it('invite dialog confirms before discarding a single invitation after a list', async () => {
  await fill('Email', 'ann@example.org');
  await inviteSeveral();
  await press('Done');
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
});

it('invite dialog points out text that was not added to a sent list, and confirms before discarding it', async () => {
  await inviteSeveral();
  await press('Invite more people');
  await fill('People to invite', 'ann.ash@example.org');
  await press('Back');
  await screen.findByText('The people you entered are not in the list yet. Choose “Invite more people” to add them.');
  await press('Done');
  await screen.findByRole('alertdialog', { name: 'Discard changes?' });
});

it('invite dialog closes without confirmation after one invitation if nothing else was entered', async () => {
  await inviteOne();
  await press('Done');
  await waitFor(() => screen.getByText('Closed'));
});

it('invite dialog closes without confirmation after a list was sent, and keeps no draft of it', async () => {
  await inviteSeveral();
  expect(Object.keys(localStorage).filter((key) => key.includes('invitation:list'))).toEqual([]);
  await press('Done');
  await waitFor(() => screen.getByText('Closed'));
});
