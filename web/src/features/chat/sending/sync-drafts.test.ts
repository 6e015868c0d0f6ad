import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { chatSocket } from '#realtime/connection/socket.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { getMessageDraft, isUnsaved, saveMessageDraft } from './drafts.ts';
import { startDraftSync } from './sync-drafts.ts';

const ME = buildUser('a');
const conversation = 'c'.repeat(24);
const NOW = Date.UTC(2026, 10, 20, 12);

type Saved = { conversation: string; content: string; version: number };
type Outcome = { status: number; body: object };

let saves: (Saved & { keepalive: boolean })[];
let outcomes: Outcome[];
let stop: () => void;
const originalFetch = globalThis.fetch;

const draftOf = (content: string, version: number) => ({
  _id: conversation,
  conversation,
  content,
  mentions: { users: [], groups: [], here: false, everyone: false },
  version,
  updatedAt: new Date(version).toISOString(),
});

beforeEach(async () => {
  localStorage.clear();
  jest.useFakeTimers({ now: NOW });
  signInAs(buildUser('z'));
  signInAs(ME);
  saves = [];
  outcomes = [];
  globalThis.fetch = async (input) => {
    // Tokens are requested without a `Request`.
    if (!(input instanceof Request)) return Response.json({ code: 'unauthorized', message: 'x' }, { status: 401 });
    const request = input;
    if (request.method === 'GET') return Response.json({ data: [], total: 0, page: 1, totalPages: 0 });
    const body = (await request.json()) as Saved;
    saves.push({ ...body, keepalive: request.keepalive });
    const { status, body: response } = outcomes.shift() ?? { status: 200, body: draftOf(body.content, Date.now()) };
    return Response.json(response, { status });
  };
  stop = startDraftSync(ME._id);
  await jest.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  stop();
  globalThis.fetch = originalFetch;
  jest.useRealTimers();
});

/** Delivers an event as if the server had sent it. */
const receive = (draft: ReturnType<typeof draftOf>) => {
  for (const listener of chatSocket.listeners('draft:changed')) listener(draft);
};
const draftHere = () => getMessageDraft(ME._id, conversation);
const write = (text: string) => saveMessageDraft(ME._id, conversation, { ...draftHere(), text });

it('a draft is saved a second after the last key, as the next version', async () => {
  write('H');
  await jest.advanceTimersByTimeAsync(800);
  write('Hello');
  await jest.advanceTimersByTimeAsync(800);
  expect(saves).toEqual([]);
  await jest.advanceTimersByTimeAsync(400);
  expect(saves).toMatchObject([{ conversation, content: 'Hello', version: 0 }]);
  const savedVersion = draftHere().server?.version;
  write('');
  await jest.advanceTimersByTimeAsync(5_000);
  expect(saves).toHaveLength(2);
  expect(saves[1]).toMatchObject({ content: '', version: savedVersion });
  expect(draftHere()).toEqual({ text: '' });
});

it('a draft is saved when the page is closed', async () => {
  write('Unfinished');
  window.dispatchEvent(new Event('pagehide'));
  await jest.advanceTimersByTimeAsync(0);
  expect(saves).toMatchObject([{ content: 'Unfinished', keepalive: true }]);
});

it('a text that was typed here is saved together with the version of another device', async () => {
  outcomes.push({ status: 409, body: { code: 'stale_version', message: 'x', current: draftOf('Elsewhere', NOW) } });
  write('Here');
  await jest.advanceTimersByTimeAsync(3_000);
  expect(saves.map(({ content, version }) => [content, version])).toEqual([
    ['Here', 0],
    ['Elsewhere\nHere', NOW],
  ]);
  expect(isUnsaved(draftHere())).toBe(false);
});

it('a draft is saved again after a failure, and not after a rejection', async () => {
  outcomes.push({ status: 503, body: { code: 'unavailable', message: 'x' } });
  write('First');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saves.map(({ content }) => content)).toEqual(['First', 'First']);
  outcomes.push({ status: 404, body: { code: 'not_found', message: 'x' } });
  write('Second');
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saves).toHaveLength(3);
  expect(draftHere().text).toBe('Second');
});

it('a text that was sent while the response to its draft was lost is removed from the server', async () => {
  outcomes.push({ status: 503, body: { code: 'unavailable', message: 'x' } });
  write('Hello');
  await jest.advanceTimersByTimeAsync(2_000);
  write('');
  outcomes.push({ status: 409, body: { code: 'stale_version', message: 'x', current: draftOf('Hello', NOW) } });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(saves.map(({ content, version }) => [content, version])).toEqual([
    ['Hello', 0],
    ['', 0],
    ['', NOW],
  ]);
  expect(draftHere()).toEqual({ text: '' });
});

it('a draft is not taken for rejected when the session ends', async () => {
  outcomes.push({ status: 401, body: { code: 'unauthorized', message: 'x' } });
  write('Kept');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(saves).toHaveLength(1);
  expect(draftHere().text).toBe('Kept');
  expect(draftHere().isRejected).toBeUndefined();
});

it('a late event of an earlier draft does not remove the next one', async () => {
  write('First');
  await jest.advanceTimersByTimeAsync(1_500);
  const removal = draftOf('', Date.now());
  write('');
  await jest.advanceTimersByTimeAsync(1_500);
  write('Second');
  await jest.advanceTimersByTimeAsync(10_000);
  receive(removal);
  await jest.advanceTimersByTimeAsync(0);
  expect(draftHere().text).toBe('Second');
  receive(draftOf('', Date.now() + 1));
  await jest.advanceTimersByTimeAsync(0);
  expect(draftHere().text).toBe('');
});
