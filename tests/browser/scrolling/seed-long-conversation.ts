import type { Stores } from '@atrium/test-kit/system/stores';
import { type Client, expectStatus, send } from '../../workspace/workspace.ts';

export const MESSAGES = 1_000_000;
const START = Date.UTC(2021, 0, 1);

/** Returns the first message at or after a time; messages are at equal intervals until now. */
export const seqAt = (time: Date, now: number): number =>
  Math.ceil((time.getTime() - START) / ((now - START) / MESSAGES));

/** A red pixel that is shown at any size. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

const LOREM = `'The rollout of the new gateway is planned for the first week of the month, and the team of operations has asked for a rehearsal before it. '`;
const CODE =
  "E'```ts\\nexport const limits = {\\n  perUser: 100,\\n  perAddress: 20,\\n};\\n\\nfor (const [name, value] of Object.entries(limits)) {\\n  log.info({ name, value }, \\'limit\\');\\n}\\n```'";
const LIST =
  "E'**Agenda** for the review\\n\\n1. The _open_ points of last week\\n2. Figures of `checkout` and `search`\\n   - before and after\\n   - ~~estimates~~\\n3. What is next'";
const TABLE =
  "E'| service | p50 | p95 |\\n|---|---:|---:|\\n| chat | 3 ms | 11 ms |\\n| files | 8 ms | 40 ms |\\n| search | 12 ms | 48 ms |'";
const QUOTE =
  "E'> The rehearsal takes place on Thursday\\n\\nAgreed, see https://example.com/rehearsal for the *details*.'";

/** Sixty percent are short, ten percent are long, and a third is Markdown. */
const CONTENT = `case n % 20
  when 0 then ${LIST} || ' ' || n
  when 3 then repeat(${LOREM}, 2 + n % 5) || n
  when 5 then ${CODE} || case when n % 3 = 0 then E'\\nworks for ' || n else '' end
  when 8 then 'Please look at **item ' || n || '** and \`release/' || n || '\` before *noon*'
  when 11 then ${QUOTE} || ' ' || n
  when 14 then repeat(${LOREM}, 1 + n % 3) || n
  when 17 then ${TABLE}
  else 'message ' || n || ' ' || substr(${LOREM}, 1, (n * 7) % 90)
end`;

const TABLES = ['messages', 'reactions', 'threads', 'attachments', 'participants', 'conversations'];

/** The triggers take minutes for a million rows. */
const setTriggers = (state: 'enable' | 'disable') =>
  TABLES.map((table) => `alter table ${table} ${state} trigger user;`).join(' ');

type Seeded = { conversation: string; now: number };

/** Creates a conversation of a million messages, with images, reactions, threads, and replies. The reader has read half of it. */
export async function seedLongConversation(
  { stores, url }: { stores: Stores; url: string },
  { writer, others, reader }: { writer: Client; others: readonly Client[]; reader: Client },
): Promise<Seeded> {
  const body = { type: 'group', title: 'long-running', participants: [...others, reader].map(({ id }) => id) };
  const { _id: conversation } = await expectStatus(
    writer.call<{ _id: string }>('POST', '/chat/conversations', body),
    201,
  );
  await sendImage(url, writer, conversation);
  const now = Date.now();
  const senders = [writer, ...others].map(({ id }) => `'${id}'`).join();
  const id = (n: string) => `lpad(to_hex(${n}), 24, '0')`;
  await stores.query(
    'chat',
    `set synchronous_commit = off;
     ${setTriggers('disable')}
     insert into messages (conversation_id, seq, message_id, sender_id, content, type, created_at, updated_at, reaction_count, thread_version, thread_id)
     select '${conversation}', n, ${id('n')}, (array[${senders}])[1 + (n / 3) % ${others.length + 1}], ${CONTENT}, 'text', sent, sent,
       case when n % 9 = 0 then 2 else 0 end, case when n % 25 = 0 then 1 else 0 end,
       case when n % 50 = 13 then ${id('n - 13')} end
     from (
       select n, to_timestamp(${START / 1_000}) + n * interval '${(now - START) / MESSAGES} milliseconds' as sent
       from generate_series(2, ${MESSAGES}) n
     ) times;
     insert into reactions (conversation_id, message_id, emoji, user_id)
     select '${conversation}', ${id('n')}, emoji, '${reader.id}'
     from generate_series(9, ${MESSAGES}, 9) n, unnest(array['👍', '🎉']) emoji;
     insert into threads (thread_id, conversation_id, last_seq, reply_count, repliers)
     select ${id('n')}, '${conversation}', 4, 4, array[${senders}] from generate_series(25, ${MESSAGES}, 25) n;
     insert into attachments (conversation_id, seq, position, attachment_id, name, extension, size, mimetype, width, height, sha256, object_key, uploader_id, listed_in)
     select conversation_id, n, 0, 'a' || lpad(to_hex(n), 23, '0'), 'photo-' || n || '.png', extension, size, mimetype, 400 + (n * 37) % 900,
       300 + (n * 53) % 700, sha256, object_key, uploader_id, listed_in
     from attachments, generate_series(31, ${MESSAGES}, 30) n where conversation_id = '${conversation}' and seq = 1;
     update messages set created_at = to_timestamp(${START / 1_000}) where conversation_id = '${conversation}' and seq = 1;
     update conversations set last_seq = ${MESSAGES} where conversation_id = '${conversation}';
     update participants set last_read_seq = case user_id when '${reader.id}' then ${MESSAGES / 2} else ${MESSAGES} end
     where conversation_id = '${conversation}';
     ${setTriggers('enable')}
     reset synchronous_commit;
     analyze ${TABLES.join()};`,
  );
  return { conversation, now };
}

async function sendImage(url: string, { token }: Client, conversation: string): Promise<void> {
  const form = new FormData();
  form.set('conversation', conversation);
  form.set('content', 'the first message');
  form.append('attachments', new Blob([IMAGE], { type: 'image/png' }), 'photo.png');
  const headers = { authorization: `Bearer ${token}` };
  await expectStatus(send(`${url}/api/chat/messages`, { method: 'POST', headers, body: form }), 201);
}
