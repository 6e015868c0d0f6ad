import type { Message } from '@atrium/proto-events/http/chat/messages';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { withNewest } from '../log/message-log.ts';
import { changeLog, useLog } from '../log/message-store.ts';
import { MessageReactions } from './message-reactions.tsx';

const ME = buildUser('f');
const ada = buildUser('a');
const conversation = 'c'.repeat(24);
let stop: () => Promise<void> = async () => undefined;

beforeEach(() => {
  localStorage.clear();
  act(() => {
    signInAs(buildUser('z'));
    signInAs(ME);
  });
});

afterEach(async () => {
  cleanup();
  dismissToasts();
  await stop();
});

function Log() {
  return useLog(conversation).messages.map((message) => (
    <MessageReactions key={message._id} message={message} onAdd={() => undefined} />
  ));
}

const adaReacted = { emoji: '👍', count: 1, mine: false, users: [ada] };
const bothReacted = { emoji: '👍', count: 2, mine: true, users: [ada, ME] };
const withReactions = (...reactions: Message['reactions']) => buildMessage(1, { conversation, reactions });

/** Shows a message with a reaction; each response waits for its gate. */
async function show(message: Message, respond: Handler) {
  ({ stop } = await startApi(respond));
  changeLog(conversation, (log) => withNewest(log, { data: [message], hasMore: false, revision: 0 }));
  render(<Log />);
}

const chip = (name: string) => screen.findByRole('button', { name });

it('a reaction is shown before the server has confirmed it, and counts once', async () => {
  const gate = Promise.withResolvers<void>();
  await show(withReactions(adaReacted), async () => {
    await gate.promise;
    return { status: 200, body: withReactions(bothReacted) };
  });
  const button = await chip('👍, 1 person');
  expect(button.getAttribute('aria-pressed')).toBe('false');
  await userEvent.click(button);
  expect((await chip('👍, 2 people, including you')).getAttribute('aria-pressed')).toBe('true');
  gate.resolve();
  await waitFor(() => expect(localStorage.getItem(`atrium:emoji:${ME._id}`)).toContain('👍'));
  expect((await chip('👍, 2 people, including you')).getAttribute('aria-pressed')).toBe('true');
});

it('a reaction is reverted with an error if it could not be saved', async () => {
  await show(withReactions(adaReacted), () => ({
    status: 409,
    body: { success: false, error: { code: 'conflict', message: 'This message was deleted' } },
  }));
  await userEvent.click(await chip('👍, 1 person'));
  await waitFor(() => expect(currentToast()?.tone).toBe('destructive'));
  expect((await chip('👍, 1 person')).getAttribute('aria-pressed')).toBe('false');
});

it('several quick presses end in what was pressed last, with one request at a time', async () => {
  const gates = [1, 2].map(() => Promise.withResolvers<void>());
  const methods: string[] = [];
  await show(withReactions(adaReacted), async ({ method }) => {
    methods.push(method);
    await gates[methods.length - 1]?.promise;
    return { status: 200, body: withReactions(method === 'PUT' ? bothReacted : adaReacted) };
  });
  const button = await chip('👍, 1 person');
  await userEvent.click(button);
  await userEvent.click(button);
  await userEvent.click(button);
  await userEvent.click(button);
  expect(methods).toEqual(['PUT']);
  await chip('👍, 1 person');
  gates[0]?.resolve();
  await waitFor(() => expect(methods).toEqual(['PUT', 'DELETE']));
  gates[1]?.resolve();
  await chip('👍, 1 person');
});

it('the last reaction of a message disappears with its row', async () => {
  await show(withReactions({ emoji: '🎉', count: 1, mine: true, users: [ME] }), () => ({
    status: 200,
    body: withReactions(),
  }));
  await userEvent.click(await chip('🎉, 1 person: you'));
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Reactions' })).toBeNull());
});
