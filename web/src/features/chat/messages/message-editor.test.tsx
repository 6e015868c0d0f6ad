import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
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
  );
  const isDefault = fireEvent.keyDown(screen.getByRole('textbox', { name: 'Edit message' }), { key: 'Escape' });
  expect(isDefault).toBe(false);
  expect(doneCount).toBe(1);
});
