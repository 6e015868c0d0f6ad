import { setTimeout as delay } from 'node:timers/promises';
import type { DemoPerson } from './people.ts';

type Line = [who: string, text: string];

const PORTAL: Line[] = [
  ['Jonas', 'Morning everyone. Two weeks to go, and the sign-up flow is the last big piece.'],
  ['Lena', 'The sign-up flow is on staging. Four screens instead of nine.'],
  ['Jonas', 'Looks right on my phone. The VAT field still accepts letters.'],
  ['Jonas', 'I will write the copy for the last screen now.'],
  ['Aiko', 'I tested it with all three currencies. The report is in the hub.'],
  ['Noah', 'Load test is green up to four times of last year’s peak.'],
  ['Mikael', 'Help center search now finds articles with typos. Try "refnud".'],
  ['Zeynep', 'That is lovely. Can we show the three most read articles when nothing matches?'],
  ['Mikael', 'Yes, tomorrow.'],
  ['Lena', 'VAT field is fixed, with a hint for each country.'],
  ['Jonas', 'The copy is in the hub. Maya, could you read it before the stand-up?'],
];
const MIGRATION: Line[] = [
  ['Tariq', 'Dry run starts at six tonight on a copy.'],
  ['Rui', 'Snapshots are taken. 4.1 million rows.'],
  ['Luca', '312 article numbers have no counterpart yet, the list is in the hub.'],
  ['Ana', 'The stores agree to a freeze from Saturday 22:00 to Sunday 06:00.'],
  ['Tariq', 'Dry run finished, no errors. 3 hours 40.'],
];
const CHANNELS: { title: string; by: string; with: string[]; lines: Line[] }[] = [
  {
    title: 'design-review',
    by: 'Lena',
    with: ['Ines', 'Chiara', 'Freya', 'Jonas', 'Maya'],
    lines: [
      ['Lena', 'Two directions for the invoice page, please look.'],
      ['Freya', 'B reads better on small screens.'],
      ['Chiara', 'Agreed, but the total should stand out more.'],
      ['Ines', 'Two options, I prefer B.'],
    ],
  },
  {
    title: 'lunch',
    by: 'Grace',
    with: ['Maya', 'Jonas', 'Lena', 'Aiko', 'Noah', 'Emeka', 'Petra'],
    lines: [
      ['Grace', 'Ramen or the market today?'],
      ['Emeka', 'Market, it is not raining.'],
      ['Aiko', 'Market!'],
    ],
  },
  {
    title: 'announcements',
    by: 'Maya',
    with: [],
    lines: [
      ['Maya', 'Welcome to Atrium. Projects, meetings, documents and chat are in one place now.'],
      ['Maya', 'Quarterly planning is next week, the agenda is in the invitation.'],
    ],
  },
];

export async function createConversations(people: DemoPerson[], find: (first: string) => DemoPerson): Promise<void> {
  await postMessages(find, await waitForProjectConversation(find('Jonas'), 'Customer portal relaunch'), PORTAL);
  await postMessages(find, await waitForProjectConversation(find('Tariq'), 'Warehouse migration'), MIGRATION);
  for (const channel of CHANNELS) {
    const participants =
      channel.with.length > 0 ? channel.with.map((first) => find(first).id) : people.map(({ id }) => id);
    const { _id } = await find(channel.by).client.post<{ _id: string }>('/chat/conversations', {
      type: 'group',
      title: channel.title,
      participants,
    });
    await postMessages(find, _id, channel.lines);
  }
  for (const [a, b, lines] of [
    [
      'Lena',
      'Maya',
      [
        ['Lena', 'Can you look at the invoice page?'],
        ['Lena', 'No hurry, today is fine.'],
      ],
    ],
    [
      'Jonas',
      'Maya',
      [
        ['Maya', 'I moved our one-on-one to Tuesday.'],
        ['Jonas', 'Thanks!'],
      ],
    ],
    ['Aiko', 'Jonas', [['Aiko', 'Sent you the notes.']]],
    ['Jonas', 'Lena', [['Jonas', 'Great work on the sign-up flow.']]],
  ] as [string, string, Line[]][]) {
    const { _id } = await find(a).client.post<{ _id: string }>('/chat/conversations', {
      type: 'direct',
      participants: [find(b).id],
    });
    await postMessages(find, _id, lines);
  }
}

async function postMessages(find: (first: string) => DemoPerson, conversation: string, lines: Line[]): Promise<void> {
  for (const [who, content] of lines) await find(who).client.post('/chat/messages', { conversation, content });
}

/** Waits until chat has handled the event of the project and created its conversation. */
async function waitForProjectConversation(person: DemoPerson, title: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { data } = await person.client.get<{ data: { _id: string; title: string | null }[] }>(
      '/chat/conversations?limit=100',
    );
    const conversation = data.find((candidate) => candidate.title === title);
    if (conversation) return conversation._id;
    await delay(100);
  }
  throw new Error(`The conversation of ${title} was not created in time`);
}
