import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { getMessageDraft, saveMessageDraft } from '../sending/drafts.ts';
import { scheduleDraft } from './schedule-draft.ts';

const ME = buildUser('a');
const conversation = 'c'.repeat(24);
const at = new Date(Date.UTC(2030, 0, 7, 9));
const later = new Date(Date.UTC(2030, 0, 8, 9));

type Body = { clientMessageId: string; content: string; sendAt: string };

let requests: { method: string; body: Body }[];
let isResponseLost: boolean;
let scheduled: (Body & { _id: string }) | undefined;
let onRequest: () => void;
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  localStorage.clear();
  act(() => signInAs(buildUser('z')));
  act(() => signInAs(ME));
  requests = [];
  isResponseLost = false;
  scheduled = undefined;
  onRequest = () => undefined;
  ({ stop } = await startApi(({ method, body: received }) => {
    const body = received as Body;
    requests.push({ method, body });
    onRequest();
    if (method === 'PATCH' && scheduled) {
      scheduled = { ...scheduled, ...body };
      return { status: 200, body: scheduled };
    }
    // As the service does: a retry returns the message that was scheduled first.
    scheduled = scheduled?.clientMessageId === body.clientMessageId ? scheduled : { _id: 's'.repeat(24), ...body };
    return isResponseLost
      ? { status: 503, body: { code: 'unavailable', message: 'x' } }
      : { status: 202, body: scheduled };
  }));
});

afterEach(async () => {
  act(dismissToasts);
  await stop();
});

const draftHere = () => getMessageDraft(ME._id, conversation);

async function schedule(content: string, time: Date): Promise<void> {
  saveMessageDraft(ME._id, conversation, { ...draftHere(), text: content });
  await scheduleDraft({ destination: { conversation }, content, at: time }, 'Failed to schedule');
}

it('an attempt after a lost response has the same id, and changes what the first one scheduled', async () => {
  isResponseLost = true;
  await schedule('Hello', at);
  expect(draftHere().text).toBe('Hello');
  isResponseLost = false;
  await schedule('Hello, everyone', later);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH']);
  expect(requests[1]?.body.clientMessageId).toBe(requests[0]?.body.clientMessageId);
  expect(scheduled).toMatchObject({ content: 'Hello, everyone', sendAt: later.toISOString() });
  expect(draftHere()).toEqual({ text: '' });
});

it('the next message is scheduled with another id', async () => {
  await schedule('First', at);
  expect(currentToast()?.title).toBe('Message scheduled');
  await schedule('Second', at);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  expect(requests[1]?.body.clientMessageId).not.toBe(requests[0]?.body.clientMessageId);
});

it('the user who signs in meanwhile gets no notice, and keeps a draft of the same text', async () => {
  const other = buildUser('b');
  onRequest = () => {
    act(() => signInAs(other));
    saveMessageDraft(other._id, conversation, { text: 'Hello' });
  };
  await schedule('Hello', at);
  expect(currentToast()).toBeUndefined();
  expect(getMessageDraft(other._id, conversation).text).toBe('Hello');
});
