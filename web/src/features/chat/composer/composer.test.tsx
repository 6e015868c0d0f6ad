import '../../../../test/patience.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import '../../../../test/browser-gaps.ts';
import { aConversation } from '../../../../test/a-conversation.ts';
import { aMessage } from '../../../../test/a-message.ts';
import { aPerson } from '../../../../test/a-person.ts';
import { type Handler, startApi } from '../../../../test/api-server.ts';
import { dismissToasts } from '../../../../test/dismiss-toasts.ts';
import { signInAs } from '../../../../test/sign-in-as.ts';
import { draftAt, hasDrafts, keepDraft } from '../../../lib/forms/drafts.ts';
import { newUuid } from '../../../lib/new-uuid.ts';
import { currentToast } from '../../../ui/overlays/toast.ts';
import { withNewest } from '../log/log-window.ts';
import { withReceived } from '../log/message-log.ts';
import { changeLog } from '../log/message-store.ts';
import { Composer } from './composer.tsx';

const ada = aPerson('a');
const conversation = aConversation();
let stop: () => Promise<void> = async () => undefined;
let sent: { content: string; clientMessageId: string }[] = [];
let isLost = false;

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
  cleanup();
  dismissToasts();
  await stop();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const enter = (given: object = {}) => fireEvent.keyDown(field(), { key: 'Enter', keyCode: 13, ...given });
const open = () => render(<Composer conversation={conversation} />);

describe('the composer', () => {
  it('counts characters as the server does, and sends text in its stored form, none of which is invisible alone', async () => {
    open();
    type('🙂'.repeat(9_500));
    expect(screen.getByText('9500 / 10000')).toBeTruthy();
    type('🙂'.repeat(10_001));
    expect(screen.getByRole('alert').textContent).toMatch(/^1 character too long/);
    type('\u200b\u2800');
    enter();
    type(' u\u0308ber ');
    enter();
    await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['über']));
  });

  it('sends with Enter, and not with the Enter that chooses a character, which Safari tells by its code alone', async () => {
    open();
    type('おは');
    enter({ isComposing: true });
    enter({ keyCode: 229 });
    expect(field().value).toBe('おは');
    enter();
    await waitFor(() => expect(sent.map(({ content }) => content)).toEqual(['おは']));
    expect(field().value).toBe('');
  });

  it('has its words again on a page that was loaded anew, and shows nobody else’s', () => {
    open();
    type('half a thought');
    cleanup();
    open();
    expect(field().value).toBe('half a thought');
    cleanup();
    act(() => signInAs(aPerson('b')));
    open();
    expect(field().value).toBe('');
  });

  it('gives back what failed, before what was typed since, and sends it under the same id', async () => {
    isLost = true;
    open();
    type('one');
    enter();
    type('two');
    await waitFor(() => expect(field().value).toBe('one\ntwo'));
    expect(currentToast()).toMatchObject({ tone: 'destructive', description: 'Failed to send message' });
    type('one');
    isLost = false;
    enter();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.clientMessageId).toBe(sent[0]?.clientMessageId);
  });

  it('gives nothing back that arrived although its answer was lost', async () => {
    isLost = true;
    open();
    type('one');
    enter();
    await waitFor(() => expect(field().value).toBe('one'));
    type('one\ntwo');
    const message = aMessage(1, { clientMessageId: sent[0]?.clientMessageId ?? null });
    act(() => void changeLog(conversation._id, (log) => withNewest(log, { data: [message], hasMore: false })));
    expect(field().value).toBe('two');
    cleanup();
    const again = { clientMessageId: newUuid(), content: 'three' };
    keepDraft(ada._id, `chat:${conversation._id}:sending`, [again]);
    keepDraft(ada._id, `chat:${conversation._id}`, { text: '' });
    const arrived = aMessage(2, { clientMessageId: again.clientMessageId });
    act(() => void changeLog(conversation._id, (log) => withReceived(log, [arrived])));
    open();
    expect(field().value).toBe('');
    expect(hasDrafts()).toBe(false);
  });

  const arrive = (seq: number, clientMessageId: string | undefined) => {
    const message = aMessage(seq, { clientMessageId: clientMessageId ?? null });
    act(() => void changeLog(conversation._id, (log) => withReceived(log, [message])));
  };

  it('takes out each of several that arrived although their answers were lost, in whichever order', async () => {
    isLost = true;
    open();
    for (const text of ['one', 'two', 'three']) {
      type(text);
      enter();
    }
    await waitFor(() => expect(field().value).toBe('one\ntwo\nthree'));
    type('one\ntwo\nthree\nand more');
    const [one, two, three] = sent.map(({ clientMessageId }) => clientMessageId);
    act(() => void changeLog(conversation._id, (log) => withNewest(log, { data: [], hasMore: false })));
    arrive(1, two);
    expect(field().value).toBe('one\nthree\nand more');
    arrive(2, one);
    expect(field().value).toBe('three\nand more');
    type('three');
    isLost = false;
    enter();
    await waitFor(() => expect(sent).toHaveLength(4));
    expect(sent[3]?.clientMessageId).toBe(three);
  });

  it('knows what the release before gave back', async () => {
    const retryOf = { clientMessageId: newUuid(), content: 'one' };
    keepDraft(ada._id, `chat:${conversation._id}`, { text: 'one', retryOf });
    open();
    enter();
    await waitFor(() => expect(sent).toEqual([{ ...retryOf, conversation: conversation._id }]));
    keepDraft(ada._id, `chat:${conversation._id}`, { text: 'one\nmore', retryOf });
    arrive(3, retryOf.clientMessageId);
    expect(field().value).toBe('more');
  });

  it('gives the text of a message with files back as another one, for they may be on their way in another tab', async () => {
    const withFiles = { clientMessageId: newUuid(), content: 'one', hasFiles: true };
    keepDraft(ada._id, `chat:${conversation._id}:sending`, [withFiles]);
    open();
    expect(field().value).toBe('one');
    enter();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.clientMessageId).not.toBe(withFiles.clientMessageId);
    keepDraft(ada._id, `chat:${conversation._id}:sending`, [withFiles]);
    cleanup();
    open();
    type('one\nmore');
    arrive(4, withFiles.clientMessageId);
    expect(field().value).toBe('more');
  });

  it('gives a message to nobody else that failed after somebody else had come', async () => {
    isLost = true;
    open();
    type('for Ada alone');
    enter();
    cleanup();
    act(() => signInAs(aPerson('b')));
    open();
    await waitFor(() => expect(draftAt(`chat:${conversation._id}`, ada._id)).toBeDefined());
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

  it('takes files from the clipboard, but for the picture that comes with copied text', () => {
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

  it('says what cannot be sent, and keeps it until it is taken off', async () => {
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

  it('takes a paste of any length whole, and says by how much it is too long', () => {
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
