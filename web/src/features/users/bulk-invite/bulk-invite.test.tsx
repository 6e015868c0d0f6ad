import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { isRecord } from '#lib/is-record.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { BulkInvite } from './bulk-invite.tsx';

const DEPARTMENT = { _id: 'd'.repeat(24), name: 'Engineering', isActive: true };
const DEPARTMENTS = { data: [DEPARTMENT], total: 1, page: 1, limit: 100, totalPages: 1 };

let stop: () => Promise<void>;
/** The idempotency keys sent per address, in order. */
let keys: Map<string, string[]>;
let invite: (email: string, attempt: number) => ReturnType<Handler>;

const buildInvitation = (email: string) => ({
  status: 201,
  body: {
    _id: email,
    user: email,
    email,
    firstName: email.slice(0, 4),
    lastName: 'Brandt',
    inviteUrl: `https://a/${email}`,
  },
});

/** Includes the invitations whose responses were lost. */
const listKnownEmails = () => [
  { email: 'taken@example.org', state: 'active' },
  ...[...keys.keys()].map((email) => ({ email, state: 'invited' })),
];

const handleRequest: Handler = ({ path, body, headers }) => {
  if (path.startsWith('/api/departments')) return { status: 200, body: DEPARTMENTS };
  if (path === '/api/auth/invites/check') return { status: 200, body: { data: listKnownEmails() } };
  if (path !== '/api/auth/invite' || !isRecord(body)) return { status: 404 };
  const email = String(body.email);
  keys.set(email, [...(keys.get(email) ?? []), String(headers['idempotency-key'])]);
  return invite(email, keys.get(email)?.length ?? 0);
};

beforeEach(async () => {
  keys = new Map();
  invite = buildInvitation;
  act(() => signInAs(buildUser('a', { role: 'admin' })));
  ({ stop } = await startApi(handleRequest));
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  localStorage.clear();
  await stop();
});

async function openList(text: string): Promise<void> {
  render(<BulkInvite />, withQueryCache);
  await enter(text);
}

async function enter(text: string): Promise<void> {
  await userEvent.click(await screen.findByLabelText('People to invite'));
  if (text !== '') await userEvent.paste(text);
}

async function preview(list: string): Promise<void> {
  await openList(list);
  await press('Preview list');
}

async function chooseFile(...content: BlobPart[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('File input not found');
  await userEvent.upload(input, new File(content, 'people.csv', { type: 'text/csv' }));
}

const typedText = () => screen.getByLabelText<HTMLTextAreaElement>('People to invite').value;

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const findText = (text: string) => screen.findByText(text);

async function chooseDepartment(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: /Default department/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Engineering' }));
}

it('bulk invite shows problems in a list, lets them be corrected in place, and can send the valid rows at any time', async () => {
  await preview('lena.brandt@example.org\ntaken.one <taken@example.org>\nomar <omar@example.org>');
  await findText('3 people: 0 ready, 3 need attention');
  await chooseDepartment();
  await findText('This person already has an account');
  await findText('3 people: 1 ready, 2 need attention');
  await press('Remove taken@example.org');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit omar@example.org');
  await press('Edit omar@example.org');
  const name = await screen.findByLabelText(/Last name/);
  expect(document.activeElement).toBe(name);
  await userEvent.type(name, 'Haddad{Enter}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit omar@example.org');
  await press('Send 2 invitations');
  await findText('2 people have been invited.');
  await screen.findByText(/“Resend” under Pending invitations creates a new one/);
  await press('Invite more people');
  expect(document.activeElement).toBe(screen.getByLabelText('People to invite'));
  await press('Back');
  await findText('2 people have been invited.');
  expect([...keys.keys()].sort()).toEqual(['lena.brandt@example.org', 'omar@example.org']);
});

it('bulk invite keeps failed rows with the reason, and retries rows that got no response with the same key', async () => {
  invite = (email, attempt) => {
    if (email === 'late.comer@example.org')
      return { status: 409, body: { code: 'conflict', message: 'A user with this email already exists' } };
    if (email === 'no.answer@example.org' && attempt === 1) return { status: 503, body: { code: 'unavailable' } };
    return buildInvitation(email);
  };
  await preview('lena.brandt@example.org, late.comer@example.org, no.answer@example.org');
  await chooseDepartment();
  await press('Send 3 invitations');
  await findText('A user with this email already exists');
  expect(screen.getAllByRole('button', { name: /^Edit / })).toHaveLength(2);
  expect(screen.getByRole('region', { name: 'Invited people' }).textContent).toContain('lena.brandt@example.org');
  await findText('This person is already invited');
  await press('Send 1 invitation');
  await findText('1 person not invited yet: 0 ready, 1 needs attention');
  const [first, second] = keys.get('no.answer@example.org') ?? [];
  expect(second).toBe(first);
  expect(keys.get('late.comer@example.org')).toHaveLength(1);
});

it('bulk invite applies one selection to every row with the same unknown department', async () => {
  await preview('email,name,department\na@example.org,Ann Ash,Eng\nb@example.org,Bob Birch,Eng');
  await findText('2 people: 0 ready, 2 need attention');
  await press('Edit a@example.org');
  await findText('Unknown department “Eng”. Your choice applies to all 2 people who have it.');
  await userEvent.click(screen.getByRole('button', { name: /Select Department/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Engineering' }));
  await findText('2 people ready to be invited');
});

it('bulk invite reports a list that is too long, and keeps its text', async () => {
  const list = Array.from({ length: 201 }, (_, index) => `a.b${index}@example.org`).join('\n');
  await preview(list);
  await findText('This list has 201 people. Up to 200 can be invited at a time, so please split it.');
  expect(typedText()).toBe(list);
});

const TOO_MANY = Array.from({ length: 201 }, (_, index) => `a.b${index}@example.org`).join('\n');

it('bulk invite keeps typed text when a file is read', async () => {
  await openList('omar.haddad@example.org');
  await chooseFile('email\nlena.brandt@example.org');
  await findText('1 person: 0 ready, 1 needs attention');
  await findText('The people you entered are not in the list yet. Choose “Add people” to add them.');
  await press('Add people');
  expect(typedText()).toBe('omar.haddad@example.org');
  await press('Add to list');
  await findText('2 people: 0 ready, 2 need attention');
  await press('Add people');
  expect(typedText()).toBe('');
});

it.each([
  [
    'with too many people',
    TOO_MANY,
    'This list has 201 people. Up to 200 can be invited at a time, so please split it.',
  ],
  ['without people', '\n', 'No email addresses were found in this file'],
])('bulk invite keeps typed text when a file %s is rejected', async (_name, list, reason) => {
  await openList('omar.haddad@example.org');
  await chooseFile(list);
  await findText(reason);
  expect(typedText()).toBe('omar.haddad@example.org');
});

it('bulk invite puts a file with too many people into the empty field, to be shortened', async () => {
  await openList('');
  await chooseFile(TOO_MANY);
  await findText('This list has 201 people. Up to 200 can be invited at a time, so please split it.');
  expect(typedText()).toBe(TOO_MANY);
});

it('bulk invite rejects several files dropped at once, and says so', async () => {
  await openList('');
  const files = ['a', 'b'].map((name) => new File([`${name}@example.org`], `${name}.csv`));
  const items = files.map((file) => ({ kind: 'file', getAsFile: () => file, webkitGetAsEntry: () => null }));
  fireEvent.drop(screen.getByLabelText('People to invite'), { dataTransfer: { types: ['Files'], items, files } });
  await findText('Drop one file at a time');
});

const toLatin1Bytes = (text: string) => Uint8Array.from([...text], (character) => character.charCodeAt(0));
/** Cyrillic names in Windows-1251. */
const CYRILLIC = toLatin1Bytes(
  'email,name\nolga@example.org,\xce\xeb\xfc\xe3\xe0 \xcf\xe5\xf2\xf0\xee\xe2\xe0\nivan@example.org,\xc8\xe2\xe0\xed \xc9\xee\xe2',
);
const ENCODING_WARNING = /^Some letters may be wrong/;

it('bulk invite decodes a file again in a selected encoding, and keeps corrections', async () => {
  await openList('');
  await chooseFile(CYRILLIC);
  await findText('Îëüãà Ïåòðîâà');
  await screen.findByText(ENCODING_WARNING);
  await press('Edit ivan@example.org');
  const name = await screen.findByLabelText(/First name/);
  await userEvent.clear(name);
  await userEvent.type(name, 'Ivan{Enter}');
  await userEvent.click(screen.getByRole('button', { name: /Encoding/ }));
  await userEvent.click(await screen.findByRole('option', { name: 'Cyrillic (Windows)' }));
  await findText('Ольга Петрова');
  await findText('Ivan Éîâ');
  expect(screen.queryByText(ENCODING_WARNING)).toBeNull();
  await press('Remove olga@example.org');
  await press('Remove ivan@example.org');
  expect(screen.queryByText('Encoding')).toBeNull();
});

it('bulk invite still warns after a reload that letters may be wrong, and asks to choose the file again', async () => {
  await openList('');
  await chooseFile(CYRILLIC);
  await screen.findByText('Some letters may be wrong. If names look garbled, choose another encoding.');
  const draft = JSON.stringify(localStorage);
  cleanup();
  for (const [key, value] of Object.entries<string>(JSON.parse(draft))) localStorage.setItem(key, value);
  render(<BulkInvite />, withQueryCache);
  await screen.findByText(/remove them, save the file as “CSV UTF-8”, and choose it again\.$/);
  expect(screen.queryByText('Encoding')).toBeNull();
});
