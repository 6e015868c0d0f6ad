import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figures.ts';
import type { Browser } from './browser.ts';
import { createLedger } from './delivery-recorder.ts';
import { AFTERWARDS_MS, atRate, figure, openAll, type Plan } from './plan.ts';
import { screens } from './screens.ts';
import { tellStrays } from './unexpected-requests.ts';

const MESSAGES_A_SECOND = 10;
const TABS = 5;

/** A conversation in which ten messages a second are said: one tab that watches it, then five of one person. */
export async function channel({ office, seconds, print }: Plan): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [tabs, limit] of [
    [1, 60],
    [TABS, 90],
  ] as const) {
    const people = office.members.slice(0, 20);
    const [watcher, ...talking] = people;
    if (!watcher) throw new Error('nobody is there to watch');
    const open = await office.makeChannel(people);
    const ledger = createLedger();
    const seats = Array.from({ length: tabs }, () => ({ person: watcher, screen: screens.chat(open) }));
    const browsers = await openAll(office, seats, ledger);
    ledger.begin();
    let sent = 0;
    await atRate(MESSAGES_A_SECOND, seconds, async (turn) => {
      sent += 1;
      const speaker = talking[turn % talking.length];
      const body = { conversation: open, content: `Said in passing #${turn}` };
      if (speaker) await office.write('/chat/messages', speaker, { method: 'POST', body });
    });
    tellStrays(ledger, print);
    await delay(AFTERWARDS_MS);
    const last = browsers.map((browser) => lastSeqOf(browser, open));
    for (const browser of browsers) browser.close();
    figures.push(
      // Who hears nothing asks for nothing either.
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
        what: `${tabs} of one person’s tabs watching a channel at ${MESSAGES_A_SECOND} messages a second`,
        value: (ledger.requests() * 60) / seconds,
        unit: ' requests a minute',
        limit,
        detail: `${ledger.requests()} in ${seconds} s`,
      }),
    );
  }
  return figures;
}

/** Up to where a browser's list of conversations has one. */
function lastSeqOf({ screen, held }: Browser, conversation: string): number {
  const lists = screen.keys.map((key) => held(key) as { data?: { _id: string; lastSeq?: number }[] } | undefined);
  const found = lists
    .flatMap((list) => (Array.isArray(list?.data) ? list.data : []))
    .find(({ _id }) => _id === conversation);
  return found?.lastSeq ?? 0;
}
