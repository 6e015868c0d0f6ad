import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { startApi } from '#test/api-server.ts';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest } from '../log/message-log.ts';
import { changeLog } from '../log/message-store.ts';
import { editLatestMessage } from './edit-latest-message.ts';
import { findStartedEdit } from './edits.ts';

const me = buildUser('a');
const message = buildMessage(1, { sender: me });
let stop: () => Promise<void> = async () => undefined;
let field: HTMLTextAreaElement;

beforeEach(async () => {
  localStorage.clear();
  act(() => signInAs(buildUser('z')));
  act(() => signInAs(me));
  ({ stop } = await startApi(() => ({ status: 503 })));
  changeLog(message.conversation, (log) => withNewest(log, { data: [message], hasMore: false, revision: 0 }));
  field = document.body.appendChild(document.createElement('textarea'));
  field.focus();
});

afterEach(async () => {
  field.remove();
  await stop();
});

it("the user's latest message is edited, and focus returns to the field", async () => {
  await editLatestMessage(message.conversation, me._id);
  expect(findStartedEdit(message._id)).toMatchObject({ opener: field });
});

it('no edit starts once the user types in the field, or has left it', async () => {
  const typed = editLatestMessage(message.conversation, me._id);
  field.value = 'Next';
  await typed;
  expect(findStartedEdit(message._id)).toBeNull();
  field.value = '';
  const left = editLatestMessage(message.conversation, me._id);
  field.blur();
  await left;
  expect(findStartedEdit(message._id)).toBeNull();
});
