import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { AFTERWARDS_MS, figure, openAll, type Plan, runAtRate } from './plan.ts';
import { screens } from './screens.ts';
import { printUnexpectedRequests } from './unexpected-requests.ts';

const MESSAGES_PER_SECOND = 10;
const TABS = 5;

/** A conversation with ten messages per second, watched by one tab, then by five tabs of one user. */
export async function channel({ workspace, seconds, print }: Plan): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [tabs, limit] of [
    [1, 60],
    [TABS, 90],
  ] as const) {
    const people = workspace.members.slice(0, 20);
    const [watcher, ...chatBrowsers] = people;
    if (!watcher) throw new Error('No user to watch');
    const open = await workspace.createChannel(people);
    const recorder = createDeliveryRecorder();
    const assignments = Array.from({ length: tabs }, () => ({ person: watcher, screen: screens.chat(open) }));
    const browsers = await openAll(workspace, assignments, recorder);
    recorder.begin();
    let sent = 0;
    await runAtRate(MESSAGES_PER_SECOND, seconds, async (turn) => {
      sent += 1;
      const sender = chatBrowsers[turn % chatBrowsers.length];
      const body = { conversation: open, content: `Message #${turn}` };
      if (sender) await workspace.write('/chat/messages', sender, { method: 'POST', body });
    });
    printUnexpectedRequests(recorder, print);
    await delay(AFTERWARDS_MS);
    const last = browsers.map((browser) => lastSeqOf(browser, open));
    for (const browser of browsers) browser.close();
    figures.push(
      // A tab that receives nothing requests nothing either.
      figure({
        what: `messages that some of ${tabs} tabs did not show`,
        value: sent - Math.min(...last),
        unit: '',
        limit: 0,
        detail: `of ${sent}`,
      }),
    );
    figures.push(
      figure({
        what: `${tabs} tabs of one user watching a channel at ${MESSAGES_PER_SECOND} messages per second`,
        value: (recorder.requests() * 60) / seconds,
        unit: ' requests per minute',
        limit,
        detail: `${recorder.requests()} in ${seconds} s`,
      }),
    );
  }
  return figures;
}

/** The last sequence number of a conversation in a browser's list. */
function lastSeqOf({ screen, cachedData }: Browser, conversation: string): number {
  const lists = screen.keys.map((key) => cachedData(key) as { data?: { _id: string; lastSeq?: number }[] } | undefined);
  const found = lists
    .flatMap((list) => (Array.isArray(list?.data) ? list.data : []))
    .find(({ _id }) => _id === conversation);
  return found?.lastSeq ?? 0;
}
