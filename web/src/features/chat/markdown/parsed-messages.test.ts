import { beforeEach, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { prepareMessages } from './parsed-messages.ts';

beforeEach(() => signInAs(buildUser('a')));

it('a page of messages is parsed in several tasks, so that scrolling stays smooth', async () => {
  await prepareMessages(['**loads the parser**']);
  const texts = Array.from({ length: 40 }, (_, n) => `**message** ${n}`);
  let tasks = 0;
  const count = () => {
    tasks += 1;
    timer = setTimeout(count);
  };
  let timer = setTimeout(count);
  await prepareMessages(texts);
  expect(tasks).toBeGreaterThan(3);
  // Parsed messages need no task.
  tasks = 0;
  await prepareMessages(texts);
  expect(tasks).toBe(0);
  clearTimeout(timer);
});
