import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { hasDrafts, saveDraft } from '#lib/forms/drafts.ts';
import { newUuid } from '#lib/new-uuid.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { dismissToasts } from '#test/dismiss-toasts.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { currentToast } from '#ui/overlays/toast.ts';
import { Composer } from '../composer/composer.tsx';
import { withNewest } from '../log/message-log.ts';
import { changeLog } from '../log/message-store.ts';
import { saveMessageDraft } from '../sending/drafts.ts';
import { outgoing, useOutgoing } from '../sending/outgoing-messages.ts';
import { PendingItem } from './message-item.tsx';

const ada = buildUser('a');
const conversation = buildConversation();
let stop: () => Promise<void> = async () => undefined;
let sent: { content: string; clientMessageId: string }[] = [];
let isLost = false;

const FILES_LOST = 'Not sent. The page was closed before the files were sent. Attach them again.';
const LIMITS = { maxFiles: 10, maxFileBytes: 4, usedBytes: 0, quotaBytes: null, availableBytes: null };

const server: Handler = ({ path, body }) => {
  if (path.endsWith('/limits')) return { status: 200, body: LIMITS };
  sent.push(body as (typeof sent)[number]);
  return isLost ? { status: 503, body: {} } : { status: 201, body: { ...(body as object), seq: 1 } };
};

beforeEach(async () => {
  localStorage.clear();
  sent = [];
  isLost = false;
  ({ stop } = await startApi(server));
  window.matchMedia = () => ({ matches: false }) as MediaQueryList;
  act(() => signInAs(ada));
});

afterEach(async () => {
  for (const { id } of outgoing.current()) outgoing.cancel(id);
  cleanup();
  dismissToasts();
  await stop();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const enter = (init: object = {}) => fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13, ...init });

function TestComposer() {
  const pending = useOutgoing(conversation._id);
  return (
    <>
      {pending.map((message) => (
        <PendingItem key={message.clientMessageId} pending={message} isFollowUp />
      ))}
      <Composer conversation={conversation} />
    </>
  );
}

it('the denial of a mention is not shown again while the next message is written', async () => {
  const abilities = { ...conversation.abilities, mentionEveryone: false };
  render(<Composer conversation={{ ...conversation, abilities }} />, { wrapper: MemoryRouter });
  const mention = { text: '@everyone', mentions: [{ at: 0, text: '@everyone', token: '<@everyone>' }] };
  const denial = () => screen.queryByText(/^Only managers of this channel/);
  act(() => saveMessageDraft(ada._id, conversation._id, mention));
  expect(denial()).toBeNull();
  enter();
  await waitFor(() => expect(denial()).toBeTruthy());
  type('Without it');
  await waitFor(() => expect(denial()).toBeNull());
  act(() => saveMessageDraft(ada._id, conversation._id, mention));
  expect(denial()).toBeNull();
});

const open = () => render(<TestComposer />, { wrapper: MemoryRouter });

describe('composer', () => {
  it('counts characters as the server does, sends normalized text, and rejects text without visible characters', async () => {
    open();
    type('🙂'.repeat(9_500));
    expect(screen.getByText('9,500 / 10,000')).toBeTruthy();
    type('🙂'.repeat(10_001));
    expect(screen.getByRole('alert').textContent).toMatch(/^1 character too long/);
    type('\u200b\u2800');
    enter();
    type(' u\u0308ber ');
    enter();
    await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['über']));
  });

  it('sends on Enter, but not on the Enter that ends an IME composition, including in Safari', async () => {
    open();
    type('おは');
    enter({ isComposing: true });
    enter({ keyCode: 229 });
    expect(field().value).toBe('おは');
    enter();
    await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['おは']));
    expect(field().value).toBe('');
  });

  it('restores the draft after a reload, only for its own user', () => {
    open();
    type('half a thought');
    cleanup();
    open();
    expect(field().value).toBe('half a thought');
    cleanup();
    act(() => signInAs(buildUser('b')));
    open();
    expect(field().value).toBe('');
  });

  const arrive = (seq: number, clientMessageId: string | undefined) => {
    const message = buildMessage(seq, { clientMessageId: clientMessageId ?? null });
    act(
      () =>
        void changeLog(conversation._id, (log) => withNewest(log, { data: [message], hasMore: false, revision: 0 })),
    );
  };
  const failedCount = () => screen.queryAllByRole('button', { name: 'Retry' }).length;
  const texts = () => sent.map(({ content }) => content);

  it('restores a failed message into an empty composer, and resends it with the same id', async () => {
    isLost = true;
    open();
    type('one');
    enter();
    await waitFor(() => expect(field().value).toBe('one'));
    expect(failedCount()).toBe(0);
    expect(currentToast()).toMatchObject({ tone: 'destructive', description: 'Failed to send message' });
    isLost = false;
    enter();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.clientMessageId).toBe(sent[0]?.clientMessageId);
    expect(field().value).toBe('');
  });

  it('shows why a message failed until it is sent again or discarded', async () => {
    const reason = () => screen.queryByText('Not sent. Failed to send message');
    isLost = true;
    open();
    type('one');
    enter();
    await waitFor(() => expect(field().value).toBe('one'));
    act(dismissToasts);
    expect(reason()).toBeTruthy();
    type('one, or two');
    expect(reason()).toBeTruthy();
    type('');
    expect(reason()).toBeNull();
    type('two');
    enter();
    expect(reason()).toBeNull();
    await waitFor(() => expect(field().value).toBe('two'));
    isLost = false;
    enter();
    expect(reason()).toBeNull();
    await waitFor(() => expect(texts()).toEqual(['one', 'two', 'two']));
  });

  it('keeps failed messages out of a non-empty composer, and resends them in order', async () => {
    isLost = true;
    open();
    for (const text of ['one', 'two']) {
      type(text);
      enter();
    }
    type('three');
    await waitFor(() => expect(failedCount()).toBe(2));
    expect(field().value).toBe('three');
    // The message queued behind it was not sent either.
    expect(texts()).toEqual(['one']);
    isLost = false;
    const [first] = screen.getAllByRole('button', { name: 'Retry' });
    if (first) fireEvent.click(first);
    await waitFor(() => expect(texts()).toEqual(['one', 'one', 'two']));
    expect(sent[1]?.clientMessageId).toBe(sent[0]?.clientMessageId);
    await waitFor(() => expect(failedCount()).toBe(0));
    expect(field().value).toBe('three');
  });

  it('keeps several failed messages in the log even if the composer is empty', async () => {
    isLost = true;
    open();
    for (const text of ['one', 'two']) {
      type(text);
      enter();
    }
    await waitFor(() => expect(failedCount()).toBe(2));
    expect(field().value).toBe('');
    const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
    expect(buttons().filter((name) => ['Retry', 'Edit', 'Remove'].includes(name ?? ''))).toHaveLength(6);
    const [first] = screen.getAllByRole('button', { name: 'Remove' });
    if (first) fireEvent.click(first);
    await waitFor(() => expect(failedCount()).toBe(1));
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    expect([failedCount(), field().value]).toEqual([0, 'two']);
  });

  it('sends files and text in order, and keeps both if they cannot be sent', async () => {
    isLost = true;
    open();
    paste([new File(['xyz'], 'one.txt')]);
    type('one');
    enter();
    type('two');
    enter();
    type('three');
    await waitFor(() => expect(failedCount()).toBe(2));
    expect(field().value).toBe('three');
  });

  it('restores the text and files of a failed message into an empty composer', async () => {
    isLost = true;
    open();
    paste([new File(['xyz'], 'one.txt')]);
    type('one');
    enter();
    await waitFor(() => expect(field().value).toBe('one'));
    expect(attached()).toEqual(['one.txt3 Bytes']);
    expect(failedCount()).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: 'Remove one.txt' }));
  });

  it('clears the composer if the message arrived although its response was lost', async () => {
    isLost = true;
    open();
    type('one');
    enter();
    await waitFor(() => expect(field().value).toBe('one'));
    type('one\ntwo');
    arrive(101, sent[0]?.clientMessageId);
    expect(field().value).toBe('two');
  });

  it('removes a message from the log if it arrived although its response was lost', async () => {
    isLost = true;
    open();
    type('one');
    enter();
    type('two');
    await waitFor(() => expect(failedCount()).toBe(1));
    arrive(102, sent[0]?.clientMessageId);
    await waitFor(() => expect(failedCount()).toBe(0));
    expect(hasDrafts()).toBe(true);
    type('');
    expect(hasDrafts()).toBe(false);
  });

  it('recovers the unsent messages of a closed page', async () => {
    const unsent = (content: string, at: number) => ({
      clientMessageId: newUuid(),
      content,
      createdAt: new Date(at).toISOString(),
    });
    const first = unsent('one', 1);
    const second = unsent('two', 2);
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [first]);
    open();
    expect(field().value).toBe('one');
    enter();
    await waitFor(() => expect(sent).toMatchObject([{ content: 'one', clientMessageId: first.clientMessageId }]));
    cleanup();
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [first, second]);
    open();
    await waitFor(() => expect(failedCount()).toBe(2));
    expect(field().value).toBe('');
    arrive(103, first.clientMessageId);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(sent[1]?.clientMessageId).toBe(second.clientMessageId));
  });

  it('recovers the text of a message with files as a new message', async () => {
    const unsent = { clientMessageId: newUuid(), content: 'one', createdAt: new Date().toISOString(), hasFiles: true };
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent]);
    open();
    expect(field().value).toBe('one');
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    enter();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.clientMessageId).not.toBe(unsent.clientMessageId);
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent]);
    cleanup();
    open();
    type('one\nmore');
    arrive(104, unsent.clientMessageId);
    expect(field().value).toBe('more');
  });

  const reload = () => {
    cleanup();
    act(() => signInAs(buildUser('b')));
    act(() => signInAs(ada));
    open();
  };

  it('reports after every reload that the files of the text in the composer were lost', () => {
    const unsent = { clientMessageId: newUuid(), content: 'one', createdAt: new Date().toISOString(), hasFiles: true };
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent]);
    open();
    reload();
    expect(field().value).toBe('one');
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    paste([new File(['xyz'], 'one.txt')]);
    expect(screen.queryByText(FILES_LOST)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove one.txt' }));
  });

  it('still reports the lost files of a recovered message that is edited, and removes its text if it arrived', () => {
    const unsent = (content: string, replaces?: string) => ({
      clientMessageId: newUuid(),
      content,
      createdAt: new Date().toISOString(),
      replaces,
    });
    const original = newUuid();
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent('one', original), unsent('two')]);
    open();
    const [first] = screen.getAllByRole('button', { name: 'Edit' });
    if (first) fireEvent.click(first);
    expect([failedCount(), field().value]).toEqual([1, 'one']);
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    reload();
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    arrive(105, original);
    expect(field().value).toBe('');
  });

  it('does not report lost files that the user removed after canceling a message', async () => {
    isLost = true;
    open();
    paste([new File(['xyz'], 'one.txt')]);
    type('one');
    enter();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel sending' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove one.txt' }));
    expect(field().value).toBe('one');
    expect(screen.queryByText(/^Not sent/)).toBeNull();
  });

  it.each([
    ['arrived', ({ clientMessageId }: { clientMessageId: string }) => arrive(106, clientMessageId)],
    ['was deleted', () => type('')],
  ])('does not report next to new files that a recovered message was not sent if it %s', (_label, remove) => {
    const unsent = { clientMessageId: newUuid(), content: 'one', createdAt: new Date().toISOString() };
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent]);
    open();
    expect(screen.getByText(/^Not sent/)).toBeTruthy();
    remove(unsent);
    expect(field().value).toBe('');
    paste([new File(['xyz'], 'one.txt')]);
    expect(screen.queryByText(/^Not sent/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove one.txt' }));
  });

  it('reports a recovered message whose files were lost, and offers no retry if it has no text', async () => {
    const unsent = { clientMessageId: newUuid(), content: '', createdAt: new Date().toISOString(), hasFiles: true };
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent]);
    open();
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    expect(failedCount()).toBe(0);
    cleanup();
    for (const { id } of outgoing.current()) outgoing.cancel(id);
    // A second reload.
    const replacement = {
      ...unsent,
      clientMessageId: newUuid(),
      hasFiles: undefined,
      replaces: unsent.clientMessageId,
    };
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [replacement]);
    open();
    expect(screen.getByText(FILES_LOST)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByText(FILES_LOST)).toBeNull();
    expect(hasDrafts()).toBe(false);
  });

  it('retries only the chosen one of several recovered messages', async () => {
    const unsent = (content: string, hasFiles?: true) => ({
      clientMessageId: newUuid(),
      content,
      createdAt: new Date().toISOString(),
      hasFiles,
    });
    saveDraft(ada._id, `chat:${conversation._id}:sending`, [unsent('one'), unsent('See attachment', true)]);
    open();
    expect(failedCount()).toBe(2);
    const [first] = screen.getAllByRole('button', { name: 'Retry' });
    if (first) fireEvent.click(first);
    await waitFor(() => expect(failedCount()).toBe(1));
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    expect(texts()).toEqual(['one']);
  });

  it('restores a failed message only for the user who wrote it', async () => {
    isLost = true;
    open();
    type('for Ada alone');
    enter();
    cleanup();
    act(() => signInAs(buildUser('b')));
    open();
    await new Promise(requestAnimationFrame);
    expect(currentToast()).toBeUndefined();
    expect(field().value).toBe('');
    cleanup();
    act(() => signInAs(ada));
    open();
    expect(field().value).toBe('for Ada alone');
  });

  const paste = (files: readonly File[], text = '') =>
    fireEvent.paste(field(), { clipboardData: { files, getData: () => text } });
  const attached = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
  const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

  it('attaches files from the clipboard, but ignores the image that accompanies copied text', () => {
    open();
    paste([new File(['x'], 'table.png')], 'the table');
    expect(attached()).toEqual([]);
    paste([new File(['xyz'], 'notes.txt'), new File(['x'], 'plan.txt')]);
    expect(attached()).toEqual(['notes.txt3 Bytes', 'plan.txt1 Bytes']);
    expect(send().getAttribute('aria-disabled')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove notes.txt' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove plan.txt' }));
    expect(attached()).toEqual([]);
    expect(send().getAttribute('aria-disabled')).toBe('true');
  });

  it('shows why a file cannot be sent until it is removed', async () => {
    open();
    paste([new File([], 'nothing.txt'), new File(['large'], 'large.txt')]);
    type('with words');
    await waitFor(() =>
      expect(attached()).toEqual(['nothing.txtThe file is empty', 'large.txtThe file is larger than 4 Bytes']),
    );
    enter();
    expect(field().value).toBe('with words');
    expect(sent).toEqual([]);
    for (const name of ['nothing.txt', 'large.txt'])
      fireEvent.click(screen.getByRole('button', { name: `Remove ${name}` }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('accepts a paste of any length, and shows by how much it exceeds the limit', () => {
    open();
    type('x'.repeat(10_007));
    expect(field().value).toHaveLength(10_007);
    expect(screen.getByRole('alert').textContent).toBe('7 characters too long');
    enter();
    expect(field().value).toHaveLength(10_007);
    type('x'.repeat(10_001));
    expect(screen.getByRole('alert').textContent).toBe('1 character too long');
  });
});
