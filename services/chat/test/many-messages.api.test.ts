import { projectDeleted } from '@atrium/proto-events/events/projects';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { projectConversationId } from '../src/model/conversations/conversation-repository.ts';
import { MOVES } from '../src/model/conversations/read-position.ts';
import { createGroup, type People, request, startChat } from './factories.ts';

let service: TestService;
let people: People;
let db: pg.Client;

beforeAll(async () => {
  ({ service, people } = await startChat());
  db = new pg.Client({ connectionString: service.env.DATABASE_URL });
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
});

/** Inserts messages, every second one by Ben. */
async function insertMessages(conversation: string, count: number): Promise<void> {
  await db.query(
    `insert into messages (conversation_id, seq, message_id, sender_id, content, type)
     select $1, n, lpad(to_hex(n), 24, '0'), case when n % 2 = 0 then $2 else $3 end, 'x', 'text' from generate_series(1, $4::int) n`,
    [conversation, people.ben._id, people.member._id, count],
  );
  await db.query('update conversations set last_seq = $2 where conversation_id = $1', [conversation, count]);
  await db.query('update participants set own_after_read = $2 / 2 where conversation_id = $1', [conversation, count]);
}

type Plan = { 'Relation Name'?: string; 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };

/** Counts the messages that a statement has read. */
function countMessageRows(plan: Plan): number {
  const ownRows =
    plan['Relation Name'] === 'messages' ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0;
  return ownRows + (plan.Plans ?? []).reduce((sum, child) => sum + countMessageRows(child), 0);
}

const countMessages = async (conversation: string) => {
  const { rows } = await db.query('select count(*) as n from messages where conversation_id = $1', [conversation]);
  return Number(rows[0]?.n);
};
const waitForRemoval = (conversation: string) =>
  waitFor(async () => (await countMessages(conversation)) === 0, {
    description: 'the messages to be removed',
  });
const list = () => request<{ data: Conversation[] }>(service, people.ben, ['GET', '/chat/conversations?limit=100']);

describe('a conversation with tens of thousands of messages', () => {
  it('is marked as read up to a seq by counting from whichever end is closer', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await insertMessages(_id, 30_000);
    await db.query('analyze messages');
    const countRead = async (seq: number) => {
      await db.query('begin');
      const { rows } = await db.query(`explain (analyze, format json) ${MOVES.conversation}`, [
        _id,
        people.ben._id,
        seq,
        0,
        'chat.messages.read.v1',
        'of a read',
        _id,
        '{"data":{}}',
      ]);
      await db.query('rollback');
      return countMessageRows(rows[0]['QUERY PLAN'][0].Plan);
    };
    expect(await countRead(Number.MAX_SAFE_INTEGER)).toBe(0);
    expect(await countRead(29_990)).toBeLessThanOrEqual(10);
    expect(await countRead(10)).toBeLessThanOrEqual(10);
    const read = (seq?: number) => request(service, people.ben, ['POST', `/chat/conversations/${_id}/read`, { seq }]);
    expect(await read(10)).toEqual({ updatedCount: 5, seq: 10 });
    expect(await read(29_990)).toEqual({ updatedCount: 14_990, seq: 29_990 });
    expect(await read()).toEqual({ updatedCount: 5, seq: 30_000 });
    expect(await request(service, people.ben, ['GET', `/chat/conversations/${_id}`])).toMatchObject({ unreadCount: 0 });
  });

  it('is deleted immediately, and its messages in batches', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await insertMessages(_id, 12_345);
    await request(service, people.admin, ['DELETE', `/chat/conversations/${_id}`]);
    expect((await list()).data.map((conversation) => conversation._id)).not.toContain(_id);
    expect((await service.call('GET', `/chat/messages?conversation=${_id}`, { as: people.ben })).status).toBe(404);
    await waitForRemoval(_id);
    const { rows } = await db.query('select * from deleted_conversations');
    expect(rows).toEqual([]);
  });

  it('is deleted with its project', async () => {
    const projectId = 'a'.repeat(24);
    const id = projectConversationId(projectId);
    await db.query(`insert into conversations (conversation_id, type, title) values ($1, 'project', 'Large')`, [id]);
    await db.query(`insert into project_conversations (conversation_id, project_id, version) values ($1, $2, 1)`, [
      id,
      projectId,
    ]);
    await insertMessages(id, 11_000);
    await service.deliver(projectDeleted, { projectId, name: 'Large' }, 2);
    const { rows } = await db.query('select 1 from conversations where conversation_id = $1', [id]);
    expect(rows).toEqual([]);
    await waitForRemoval(id);
  });

  it('is removed completely if another pod has stopped in the middle of the removal', async () => {
    const { _id } = await createGroup(service, [people.member, people.ben]);
    await insertMessages(_id, 11_000);
    await db.query('delete from conversations where conversation_id = $1', [_id]);
    await db.query('delete from messages where conversation_id = $1 and seq <= 5000', [_id]);
    await db.query(
      'insert into deleted_conversations (conversation_id, last_seq, removed_seq) values ($1, 11000, 5000)',
      [_id],
    );
    await waitForRemoval(_id);
  });
});
