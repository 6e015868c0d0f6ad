import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { hasDrafts, saveDraft } from '#lib/forms/drafts.ts';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { useReactionPicker } from '../reactions/use-reaction-picker.ts';
import { MessageItem } from './message-item.tsx';

const ada = buildUser('a');
const message = buildMessage(1);
let stop: () => Promise<void> = async () => undefined;

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(ada));
});

afterEach(async () => {
  cleanup();
  localStorage.clear();
  await stop();
});

function Room({ isReadOnly = false, shown = message }) {
  return (
    <>
      <input aria-label="Composer" ref={(input) => input?.focus()} />
      <MessageItem
        message={shown}
        isFollowUp={false}
        isHighlighted={false}
        canDelete={false}
        isReadOnly={isReadOnly}
        picker={useReactionPicker()}
        onDelete={() => undefined}
        logId={message.conversation}
        onOpenFile={() => undefined}
        onOpenThread={undefined}
      />
    </>
  );
}

describe('message editing', () => {
  it('leaves focus alone for an edit restored from storage', async () => {
    saveDraft(ada._id, `chat:${message.conversation}:edits`, { [message._id]: { text: 'one and a half' } });
    render(<Room />);
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' })).value).toBe(
      'one and a half',
    );
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Composer' }));
  });

  it('focuses the field of an edit that started here', async () => {
    render(<Room />);
    await userEvent.click(screen.getByRole('button', { name: 'Message actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it('removes the edit of a message that was deleted', async () => {
    saveDraft(ada._id, `chat:${message.conversation}:edits`, { [message._id]: { text: 'one and a half' } });
    render(<Room shown={{ ...message, deleted: true }} />);
    await waitFor(() => expect(hasDrafts()).toBe(false));
  });

  it('keeps text typed during a save, and saves it if Enter is pressed again', async () => {
    const gates = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const saved: string[] = [];
    ({ stop } = await startApi(async ({ body }) => {
      const { content } = body as { content: string };
      saved.push(content);
      await gates[saved.length - 1]?.promise;
      return { status: 200, body: { ...message, content } };
    }));
    saveDraft(ada._id, `chat:${message.conversation}:edits`, { [message._id]: { text: 'one' } });
    render(<Room />);
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' });
    const type = (value: string) => fireEvent.change(field, { target: { value } });
    const enter = () => fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 });
    enter();
    type('one and two');
    enter();
    enter();
    type('one and two and three');
    gates[0]?.resolve();
    await waitFor(() => expect(saved).toEqual(['one', 'one and two']));
    gates[1]?.resolve();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull());
    expect(field.value).toBe('one and two and three');
    enter();
    gates[2]?.resolve();
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull());
    expect(saved).toEqual(['one', 'one and two', 'one and two and three']);
  });

  it("moves focus to the message's actions when editing ends", async () => {
    render(<Room />);
    await userEvent.click(screen.getByRole('button', { name: 'Message actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Message actions' })));
    // The key that ended the edit does not open the menu.
    expect(screen.queryByRole('menu')).toBeNull();
  });
});

describe('a message of an archived channel', () => {
  it('offers what changes nothing in the channel, and keeps an edit that had started', async () => {
    saveDraft(ada._id, `chat:${message.conversation}:edits`, { [message._id]: { text: 'one and a half' } });
    const { rerender } = render(<Room isReadOnly />);
    await userEvent.hover(screen.getByRole('article'));
    const bar = screen.getByRole('group', { name: 'Message' });
    const labels = within(bar)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'));
    expect(labels).toEqual(['Copy link to message', 'Message actions']);
    await userEvent.click(screen.getByRole('button', { name: 'Message actions' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Forward',
      'Mark as unread',
      'Copy link',
      'Save for later',
      'Remind me about this',
    ]);
    await userEvent.keyboard('{Escape}');
    rerender(<Room />);
    expect(await screen.findByRole('textbox', { name: 'Edit message' })).toHaveProperty('value', 'one and a half');
  });
});
