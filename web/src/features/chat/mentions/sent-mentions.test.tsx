import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { saveDraft } from '#lib/forms/drafts.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { Composer } from '../composer/composer.tsx';
import { unreachableText } from '../composer/unreachable-notice.tsx';
import { outgoing } from '../sending/outgoing-messages.ts';

const ada = buildUser('a');
const conversation = buildConversation();
const { abilities } = conversation;

let stop: () => Promise<void> = async () => undefined;
let sent: { content: string; clientMessageId: string }[] = [];
let added: unknown[] = [];
let isLost = false;

beforeEach(async () => {
  localStorage.clear();
  sent = [];
  added = [];
  isLost = false;
  ({ stop } = await startApi(({ path, body }) => {
    if (path.endsWith('/participants')) added.push(body);
    else sent.push(body as (typeof sent)[number]);
    if (path.endsWith('/participants')) return { status: 200, body: conversation };
    const unreachable = [buildUser('d'), buildUser('e')];
    return isLost ? { status: 503, body: {} } : { status: 201, body: { ...(body as object), seq: 1, unreachable } };
  }));
  window.matchMedia = () => ({ matches: false }) as MediaQueryList;
  act(() => signInAs(ada));
});

afterEach(async () => {
  for (const { id } of outgoing.current()) outgoing.cancel(id);
  cleanup();
  act(() => signInAs(buildUser('z')));
  dismissToasts();
  await stop();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const enter = () => fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13 });
const contents = () => sent.map(({ content }) => content);

const wrapper = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={swrConfig}>
    <MemoryRouter>{children}</MemoryRouter>
  </SWRConfig>
);
const open = (overrides: Partial<typeof conversation> = {}) =>
  render(<Composer conversation={buildConversation(overrides)} />, { wrapper });

describe('a message with mentions', () => {
  it('asks before it mentions everyone in a conversation with more than 50 participants', async () => {
    open({ participantCount: 121 });
    type('<@everyone> hi');
    enter();
    expect(await screen.findByRole('alertdialog', { name: 'Notify 120 people?' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect([contents(), field().value]).toEqual([[], '<@everyone> hi']);
    enter();
    const dialog = within(await screen.findByRole('alertdialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(contents()).toEqual(['<@everyone> hi']));
  });

  it('mentions everyone in a conversation with 50 participants without asking', async () => {
    open({ participantCount: 50 });
    type('<@everyone> hi');
    enter();
    await waitFor(() => expect(contents()).toEqual(['<@everyone> hi']));
  });

  it('asks before it mentions a department of unknown size', async () => {
    open({ participantCount: 121 });
    type(`<@department:${'d'.repeat(24)}> hi`);
    enter();
    expect(await screen.findByRole('alertdialog', { name: 'Notify up to 120 people?' })).toBeTruthy();
  });

  it('stays in the composer with the reason if only managers can mention everyone', async () => {
    open({ abilities: { ...abilities, mentionEveryone: false } });
    type('<@here> hi');
    enter();
    expect((await screen.findByRole('alert')).textContent).toContain('Only managers of this channel can mention');
    expect([contents(), field().value]).toEqual([[], '<@here> hi']);
    type('hi');
    expect(screen.queryByRole('alert')).toBeNull();
    enter();
    await waitFor(() => expect(contents()).toEqual(['hi']));
  });

  const NOTICE = 'D Example and E Example are not in this conversation and did not see your mention.';

  it('is followed by a notice of who is not in the conversation, until that is dismissed', async () => {
    open();
    type('hi');
    enter();
    expect(await screen.findByText(NOTICE)).toBeTruthy();
    // The user cannot add participants.
    expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(NOTICE)).toBeNull();
  });

  it('is followed by an offer to add them', async () => {
    open({ abilities: { ...abilities, addPeople: true } });
    type('hi');
    enter();
    fireEvent.click(await screen.findByRole('button', { name: 'Add' }));
    await waitFor(() => expect(screen.queryByText(NOTICE)).toBeNull());
    expect(added).toEqual([{ userId: buildUser('d')._id }, { userId: buildUser('e')._id }]);
  });

  it('returns to the composer with names if it fails, and is sent again with its mentions', async () => {
    isLost = true;
    const token = `<@${'d'.repeat(24)}>`;
    saveDraft(ada._id, `chat:${conversation._id}`, { text: '@D Ex', mentions: [{ at: 0, text: '@D Ex', token }] });
    open();
    enter();
    await waitFor(() => expect([contents(), field().value]).toEqual([[token], '@D Ex']));
    isLost = false;
    enter();
    await waitFor(() => expect(contents()).toEqual([token, token]));
    expect(sent[1]?.clientMessageId).toBe(sent[0]?.clientMessageId);
  });
});

it('the notice names at most three users who are not in the conversation', () => {
  const users = ['b', 'c', 'd', 'e', 'f'].map((letter) => buildUser(letter));
  expect(unreachableText(users.slice(0, 1))).toMatch(/^B Example is not/);
  expect(unreachableText(users.slice(0, 3))).toMatch(/^B Example, C Example, and D Example are not/);
  expect(unreachableText(users)).toMatch(/^B Example, C Example, D Example, and 2 others are not/);
});
