import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Handler, startApi } from '#test/api-server.ts';
import { buildConversation } from '#test/build-conversation.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withQueryCache } from '#test/with-query-cache.tsx';
import { MessageEditor } from './message-editor.tsx';

afterEach(cleanup);

it('Escape ends an edit, and means nothing else', () => {
  act(() => signInAs(buildUser('a')));
  const message = buildMessage(1);
  let doneCount = 0;
  render(
    <MessageEditor
      message={message}
      draft={{ text: message.content }}
      isFocused
      onWrite={() => undefined}
      onDone={() => {
        doneCount += 1;
      }}
    />,
    withQueryCache,
  );
  const isDefault = fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit message' }), { key: 'Escape' });
  expect(isDefault).toBe(false);
  expect(doneCount).toBe(1);
});

it('an edit that mentions everyone is saved after a confirmation', async () => {
  act(() => signInAs(buildUser('a')));
  const message = buildMessage(1);
  const patches: unknown[] = [];
  const server: Handler = ({ method, body }) => {
    if (method === 'PATCH') patches.push(body);
    return {
      status: 200,
      body: method === 'PATCH' ? message : buildConversation({ _id: message.conversation, participantCount: 200 }),
    };
  };
  const { stop } = await startApi(server);
  const mention = { at: 0, text: '@everyone', token: '<@everyone>' };
  render(
    <MessageEditor
      message={message}
      draft={{ text: '@everyone look', mentions: [mention] }}
      isFocused
      onWrite={() => undefined}
      onDone={() => undefined}
    />,
    withQueryCache,
  );
  const field = screen.getByRole('textbox', { name: 'Edit message' });
  // Nothing is saved while it is unknown how many people the conversation has.
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(patches).toEqual([]);
  const isAsked = () => screen.queryByRole('alertdialog', { name: 'Notify 199 people?' });
  await waitFor(() => {
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(isAsked()).not.toBeNull();
  });
  expect(patches).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(patches).toEqual([{ content: '<@everyone> look' }]));
  await act(stop);
});
