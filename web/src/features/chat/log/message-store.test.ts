import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildMessage } from '#test/build-message.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { withNewest, withReceived, withUnloadedEnd } from './message-log.ts';
import { applyToLog, changeLog, logOf, logWriter, showLog, trimmedForBackground } from './message-store.ts';

const ada = buildUser('a');

const messages = (count: number) => Array.from({ length: count }, (_, index) => buildMessage(index + 1));

const load = (conversation: string, count: number) =>
  changeLog(conversation, (log) => withNewest(log, { data: messages(count), hasMore: false, revision: 0 }));

beforeEach(() => {
  signInAs(buildUser('z'));
  signInAs(ada);
});

describe('message store', () => {
  it('keeps logs per user, and discards a response that arrives after a sign-out', () => {
    load('one', 3);
    const write = logWriter('one');
    signInAs(buildUser('b'));
    write((log) => withNewest(log, { data: messages(5), hasMore: false, revision: 0 }));
    expect(logOf('one').messages).toEqual([]);
  });

  it('keeps the latest 100 messages in the background, and drops logs that do not include the latest message', () => {
    load('open', 2_500);
    changeLog('open', trimmedForBackground);
    expect(logOf('open')).toMatchObject({ hasOlder: true });
    expect(logOf('open').messages[0]?.seq).toBe(2_401);
    changeLog('open', (log) => withUnloadedEnd(log, 5_000));
    changeLog('open', trimmedForBackground);
    expect(logOf('open')).toMatchObject({ isLoaded: false, messages: [] });
  });

  it('caches the logs of 50 conversations', () => {
    for (let n = 0; n < 60; n += 1) load(`c${n}`, 1);
    expect(logOf('c9').isLoaded).toBe(false);
    expect(logOf('c10').isLoaded).toBe(true);
  });

  it('keeps the log of the visible conversation, and creates none for a conversation that was never opened', () => {
    const hide = showLog('open');
    load('open', 1);
    for (let n = 0; n < 60; n += 1) load(`c${n}`, 1);
    expect(logOf('open').isLoaded).toBe(true);
    applyToLog('never', (log) => withReceived(log, messages(1)));
    expect(logOf('never').ahead).toEqual([]);
    hide();
    for (let n = 60; n < 120; n += 1) load(`c${n}`, 1);
    expect(logOf('open').isLoaded).toBe(false);
  });
});
