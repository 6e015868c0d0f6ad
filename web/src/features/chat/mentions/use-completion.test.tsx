import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useRef, useState } from 'react';
import { SWRConfig } from 'swr';
import { saveSkinTone } from '#entities/emoji/skin-tone.ts';
import { swrConfig } from '#lib/query/swr-config.ts';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { AutoSizeTextArea } from '../composer/auto-size-textarea.tsx';
import { type ComposedText, toContent } from '../text/composed-text.ts';
import { useCompletion } from './use-completion.tsx';

const me = buildUser('a');
const nguyen = buildUser('b', { firstName: 'Nguyễn', lastName: 'Hương' });
const dana = buildUser('c', { firstName: 'Dana', lastName: 'Ng' });
const nguyenOutside = buildUser('d', { firstName: 'Nguyễn', lastName: 'Văn An' });
const conversation = buildConversation({ participants: [me, nguyen, dana] });
const design = { type: 'department', _id: 'f'.repeat(24), name: 'Design', participantCount: 120 };
const other = buildConversation({ _id: 'e'.repeat(24), title: 'release' });

let stop: () => Promise<void> = async () => undefined;
let content = '';
let unhandled: string[] = [];

const pageOf = (data: unknown[]) => ({ data, total: data.length, page: 1, totalPages: 1 });

const server: Handler = ({ path }) => {
  if (path === '/emoji/en/shortcodes.json')
    return {
      status: 200,
      body: [
        ['👋', 'wave'],
        ['🌊', 'ocean', 'waves'],
      ],
    };
  if (path.startsWith('/api/chat/emoji')) return { status: 200, body: { data: [{ _id: 'g', name: 'wave_team' }] } };
  if (path.includes('/mention-groups'))
    return { status: 200, body: { data: path.includes('search=desi') ? [design] : [] } };
  if (path.startsWith('/api/users')) return { status: 200, body: pageOf([nguyen, nguyenOutside]) };
  return { status: 200, body: path.includes('?') ? pageOf([conversation, other]) : conversation };
};

beforeEach(async () => {
  content = '';
  unhandled = [];
  ({ stop } = await startApi(server));
  act(() => signInAs(me));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function Field() {
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, write] = useState<ComposedText>({ text: '' });
  content = toContent(draft);
  const completion = useCompletion({ field, draft, write, conversationId: conversation._id });
  return (
    <>
      <AutoSizeTextArea
        ref={field}
        {...completion.fieldProps}
        onKeyDown={(event) => completion.handleKey(event) || unhandled.push(event.key)}
        aria-label="Message"
      />
      {completion.list}
    </>
  );
}

const wrapper = ({ children }: { children: ReactNode }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>;
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (key: string, init: object = {}) => fireEvent.keyDown(field(), { key, ...init });
const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';

it('emoji are completed from one list with those of the workspace, in the chosen skin tone', async () => {
  saveSkinTone(me._id, 'medium');
  render(<Field />, { wrapper });
  type(':wav');
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(screen.getAllByRole('listbox')).toHaveLength(1);
  expect(names().map((name) => name?.split(':').at(-2))).toEqual(['wave', 'waves', 'wave_team']);
  press('Enter');
  expect(field().value).toBe('👋🏽 ');
});

describe('the completion of mentions', () => {
  it('offers participants first, then groups, and moves with the arrow keys', async () => {
    render(<Field />, { wrapper });
    type('hi @');
    await waitFor(() => expect(names()).toHaveLength(4));
    expect(active()).toContain('Nguyễn Hương');
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('Nguyễn Hương');
    press('ArrowDown');
    expect(active()).toContain('Dana Ng');
    press('ArrowUp');
    press('ArrowUp');
    expect(active()).toContain('@everyone');
    press('ArrowDown');
    expect(active()).toContain('Nguyễn Hương');
    expect(unhandled).toEqual([]);
  });

  it('finds names without accents, also of users who are not in the conversation', async () => {
    render(<Field />, { wrapper });
    type('@nguyen');
    await waitFor(() => expect(names()).toHaveLength(2));
    expect(names()[0]).toContain('Nguyễn Hương');
    expect(names()[1]).toContain('Not in this conversation');
    type('@nguyen van');
    await waitFor(() => expect(names()).toHaveLength(1));
    press('Tab');
    expect([field().value, content]).toEqual(['@Nguyễn Văn An ', `<@${nguyenOutside._id}> `]);
    expect(names()).toEqual([]);
  });

  it('offers departments and projects with their participants, and inserts their tokens', async () => {
    render(<Field />, { wrapper });
    type('@desi');
    await waitFor(() => expect(names()).toEqual(['@DesignDepartment · 120 members']));
    press('Enter');
    expect([field().value, content]).toEqual(['@Design ', `<@department:${design._id}> `]);
  });

  it('inserts a name on Enter in the middle of a text, and moves the caret behind it', async () => {
    render(<Field />, { wrapper });
    type('ask @da and go');
    field().setSelectionRange(7, 7);
    fireEvent.select(field());
    await waitFor(() => expect(active()).toContain('Dana Ng'));
    press('Enter');
    expect(content).toBe(`ask <@${dana._id}> and go`);
    expect([field().value, field().selectionStart]).toEqual(['ask @Dana Ng and go', 'ask @Dana Ng '.length]);
  });

  it('closes on Escape until another mention is typed, and leaves other keys to the field', async () => {
    render(<Field />, { wrapper });
    type('@d');
    await waitFor(() => expect(names()).toHaveLength(1));
    press('Enter', { isComposing: true });
    press('Enter', { shiftKey: true });
    expect(unhandled).toEqual(['Enter', 'Enter']);
    press('Escape');
    expect(names()).toEqual([]);
    expect(field().getAttribute('aria-activedescendant')).toBeNull();
    type('@da');
    press('Enter');
    expect([names(), content]).toEqual([[], '@da']);
    type('@da, @d');
    await waitFor(() => expect(names()).toHaveLength(1));
  });

  it('offers nothing in a word, such as an email address, and nothing that does not match', async () => {
    render(<Field />, { wrapper });
    type('@d');
    await waitFor(() => expect(names()).toHaveLength(1));
    type('dana@d');
    expect(names()).toEqual([]);
    type('@dana is here');
    expect(names()).toEqual([]);
    press('Enter');
    expect(unhandled).toEqual(['Enter']);
  });

  it('completes channels, and inserts a pressed one', async () => {
    render(<Field />, { wrapper });
    type('see #rel');
    await waitFor(() => expect(names()).toHaveLength(1));
    expect(screen.getByRole('listbox', { name: 'Channels' }).id).toBe(field().getAttribute('aria-controls'));
    fireEvent.click(screen.getByRole('option'));
    expect([field().value, content]).toEqual(['see #release ', `see <#${other._id}> `]);
  });

  it('inserts an option when the button is pressed, because the list may move until it is released', async () => {
    render(<Field />, { wrapper });
    type('see #rel');
    await waitFor(() => expect(names()).toHaveLength(1));
    fireEvent.mouseDown(screen.getByRole('option'), { button: 2 });
    expect(content).toBe('see #rel');
    expect(fireEvent.mouseDown(screen.getByRole('option'), { button: 0 })).toBe(false);
    expect([names(), content]).toEqual([[], `see <#${other._id}> `]);
  });
});
