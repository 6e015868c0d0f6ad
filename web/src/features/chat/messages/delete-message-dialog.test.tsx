import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest } from '../log/message-log.ts';
import { changeLog, useLog } from '../log/message-store.ts';
import { useReactionPicker } from '../reactions/use-reaction-picker.ts';
import { DeleteMessageDialog, type Deletion } from './delete-message-dialog.tsx';
import { MessageItem } from './message-item.tsx';

const conversation = 'c'.repeat(24);
let stop: () => Promise<void> = async () => undefined;

beforeEach(async () => {
  act(() => signInAs(buildUser('a')));
  ({ stop } = await startApi(() => ({ status: 204 })));
});

afterEach(async () => {
  cleanup();
  await stop();
});

function List() {
  const list = useRef<HTMLElement>(null);
  const picker = useReactionPicker();
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  return (
    <section ref={list} aria-label="Messages" tabIndex={-1}>
      {useLog(conversation).messages.map((message) => (
        <MessageItem
          key={message._id}
          message={message}
          isFollowUp={false}
          isHighlighted={false}
          canDelete
          isReadOnly={false}
          picker={picker}
          onDelete={(target, element) => setDeletion({ message: target, element, isOpen: true })}
          logId={message.conversation}
          onOpenFile={() => undefined}
          onOpenThread={undefined}
        />
      ))}
      {deletion && (
        <DeleteMessageDialog {...deletion} list={list} onClose={() => setDeletion({ ...deletion, isOpen: false })} />
      )}
    </section>
  );
}

const actions = () => screen.getAllByRole('button', { name: 'Message actions' });

async function remove(nth: number): Promise<void> {
  const before = actions().length;
  await userEvent.click(actions()[nth] as HTMLElement);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(screen.getAllByText('This message was deleted')).toHaveLength(4 - before));
}

it('delete-message dialog moves focus after a deletion to the next message, the previous one, or finally the list', async () => {
  changeLog(conversation, (log) =>
    withNewest(log, { data: [1, 2, 3].map((seq) => buildMessage(seq)), hasMore: false, revision: 0 }),
  );
  render(<List />);
  await remove(1);
  await waitFor(() => expect(document.activeElement).toBe(actions()[1]));
  await remove(1);
  await waitFor(() => expect(document.activeElement).toBe(actions()[0]));
  await remove(0);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Messages' })));
});
