import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { EMPTY_LOG, type MessageLog, withNewest, withOlder } from '../log/message-log.ts';
import { useReactionPicker } from '../reactions/use-reaction-picker.ts';
import { startEdit } from '../sending/edits.ts';
import { Row } from './message-row.tsx';
import { type MessageRow, toRows } from './message-rows.ts';

const ada = buildUser('a');
const ignore = () => undefined;

beforeEach(() => act(() => signInAs(ada)));
afterEach(cleanup);

/** Builds messages that count how often their texts are read, which happens in each rendering. */
function buildCountedMessages(seqs: readonly number[]) {
  const counts = { reads: 0 };
  const messages = seqs.map((seq) =>
    Object.defineProperty(buildMessage(seq), 'content', {
      enumerable: true,
      get() {
        counts.reads += 1;
        return `message ${seq}`;
      },
    }),
  );
  return { messages, counts };
}

const rowsOf = (log: MessageLog) => toRows({ log, pending: [], currentUserId: ada._id, readUntil: null });

function List({ rows }: { rows: readonly MessageRow[] }) {
  const picker = useReactionPicker();
  return rows.map((row) => (
    <Row
      key={row.key}
      row={row}
      logId={'c'.repeat(24)}
      picker={picker}
      isHighlighted={false}
      canDelete={false}
      isReadOnly={false}
      onDelete={ignore}
      onOpenFile={ignore}
      onOpenThread={ignore}
    />
  ));
}

const show = (rows: readonly MessageRow[]) => render(<List rows={rows} />, { wrapper: MemoryRouter });

describe('the rows of a log', () => {
  it('are not rendered again when the list is, or when older messages are loaded', () => {
    const { messages, counts } = buildCountedMessages([11, 12, 13]);
    const data = [buildMessage(10), ...messages];
    const log = withNewest(EMPTY_LOG, { data, hasMore: true, revision: 0 });
    const { rerender } = show(rowsOf(log));
    const { reads } = counts;
    expect(reads).toBeGreaterThan(0);
    rerender(<List rows={rowsOf(log)} />);
    expect(screen.getAllByRole('article')).toHaveLength(3);
    const older = [8, 9].map((seq) => buildMessage(seq, { sender: buildUser('b') }));
    rerender(<List rows={rowsOf(withOlder(log, { data: older, hasMore: false, revision: 0 }))} />);
    expect(screen.getAllByRole('article')).toHaveLength(6);
    expect(counts.reads).toBe(reads);
  });

  it('are not rendered again while another message is edited', async () => {
    const { messages, counts } = buildCountedMessages([11, 12]);
    const edited = buildMessage(13);
    show(rowsOf(withNewest(EMPTY_LOG, { data: [...messages, edited], hasMore: true, revision: 0 })));
    const { reads } = counts;
    await act(async () => startEdit(edited.conversation, edited));
    fireEvent.change(await screen.findByRole('textbox', { name: 'Edit message' }), { target: { value: 'typed' } });
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' }).value).toBe('typed');
    expect(counts.reads).toBe(reads);
  });
});

describe('the actions of a message', () => {
  const labels = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'));
  const showOne = () => show(rowsOf(withNewest(EMPTY_LOG, { data: [buildMessage(1)], hasMore: false, revision: 0 })));

  it('are one button until the pointer comes to the message', async () => {
    showOne();
    expect(labels()).toEqual(['Message actions']);
    await userEvent.hover(screen.getByRole('article'));
    expect(labels()).toEqual(expect.arrayContaining(['Reply in thread', 'Copy link to message', 'Edit message']));
    expect(labels().at(-1)).toBe('Message actions');
  });

  it('are all there once the keyboard comes to the message', async () => {
    showOne();
    await userEvent.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Message actions');
    expect(labels()).toContain('Reply in thread');
    await userEvent.tab({ shift: true });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Edit message');
  });

  it('are all there once a touch has focused the message', () => {
    showOne();
    fireEvent.focus(screen.getByRole('article'));
    expect(labels()).toContain('Copy link to message');
  });
});
