import '../../../../test/browser-gaps.ts';
import '../../../../test/patience.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aMessage } from '../../../../test/a-message.ts';
import { aPerson } from '../../../../test/a-person.ts';
import { signInAs } from '../../../../test/sign-in-as.ts';
import { keepDraft } from '../../../lib/forms/drafts.ts';
import { useEdits } from './edits.ts';
import { MessageItem } from './message-item.tsx';

const ada = aPerson('a');
const message = aMessage(1);

beforeEach(() => {
  localStorage.clear();
  act(() => signInAs(ada));
});

afterEach(() => {
  cleanup();
  localStorage.clear();
});

function Room() {
  const editing = useEdits(message.conversation);
  return (
    <>
      <input aria-label="Composer" ref={(input) => input?.focus()} />
      <MessageItem
        message={message}
        isFollowUp={false}
        isPointedOut={false}
        canDelete={false}
        editing={editing}
        onDelete={() => undefined}
        onOpenFile={() => undefined}
      />
    </>
  );
}

describe('a message being edited', () => {
  it('leaves the focus where it is when the edit was found on the device', async () => {
    keepDraft(ada._id, `chat:${message.conversation}:edits`, { [message._id]: 'one and a half' });
    render(<Room />);
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' })).value).toBe(
      'one and a half',
    );
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Composer' }));
  });

  it('takes it when it was begun here', async () => {
    render(<Room />);
    await userEvent.click(screen.getByRole('button', { name: 'Message actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it('gives it to what one may do with the message, where the edit ends in the field', async () => {
    render(<Room />);
    await userEvent.click(screen.getByRole('button', { name: 'Message actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Edit message' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Message actions' })));
    // The key that ended it opens nothing.
    expect(screen.queryByRole('menu')).toBeNull();
  });
});
