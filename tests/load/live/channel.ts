import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createDeliveryRecorder } from './delivery-recorder.ts';
import { figure, openAll, type Plan, runAtRate, SETTLE_MS } from './plan.ts';
import { screens } from './screens.ts';
import { printUnexpectedRequests } from './unexpected-requests.ts';

const MESSAGES_PER_SECOND = 10;
const TABS = 5;

/** Sends ten messages per second to a conversation that one tab watches, and then five tabs of one user. */
export async function channel({ workspace, seconds, print }: Plan): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [tabs, limit] of [
    [1, 60],
    [TABS, 90],
  ] as const) {
    const users = workspace.members.slice(0, 20);
    const [watcher, ...senders] = users;
    if (!watcher) throw new Error('No user to watch');
    const open = await workspace.createChannel(users);
    const recorder = createDeliveryRecorder();
    const assignments = Array.from({ length: tabs }, () => ({ user: watcher, screen: screens.chat(open) }));
    const browsers = await openAll(workspace, assignments, recorder);
    recorder.begin();
    let sent = 0;
    await runAtRate(MESSAGES_PER_SECOND, seconds, async (turn) => {
      sent += 1;
      const sender = senders[turn % senders.length];
      const body = { conversation: open, content: `Message #${turn}` };
      if (sender) await workspace.write('/chat/messages', sender, { method: 'POST', body });
    });
    printUnexpectedRequests(recorder, print);
    await delay(SETTLE_MS);
    const lastSeqs = browsers.map((browser) => lastSeqOf(browser, open));
    for (const browser of browsers) browser.close();
    figures.push(
      // Checked because a tab that receives nothing would send few requests.
      figure({
        name: `messages that some of ${tabs} tabs did not show`,
        value: sent - Math.min(...lastSeqs),
        unit: '',
        limit: 0,
        detail: `of ${sent}`,
      }),
    );
    figures.push(
      figure({
        name: `${tabs} tabs of one user watching a channel at ${MESSAGES_PER_SECOND} messages per second`,
        value: (recorder.requests() * 60) / seconds,
        unit: ' requests per minute',
        limit,
        detail: `${recorder.requests()} in ${seconds} s`,
      }),
    );
  }
  return figures;
}

/** Returns the last sequence number of a conversation in a browser's list. */
function lastSeqOf({ screen, cachedData }: Browser, conversation: string): number {
  const lists = screen.keys.map((key) => cachedData(key) as { data?: { _id: string; lastSeq?: number }[] } | undefined);
  const listed = lists
    .flatMap((list) => (Array.isArray(list?.data) ? list.data : []))
    .find(({ _id }) => _id === conversation);
  return listed?.lastSeq ?? 0;
}
