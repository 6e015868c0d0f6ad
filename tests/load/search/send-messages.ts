import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import { newMessage } from '../../../services/chat/src/messages/new-message.ts';
import { insertMessage } from '../../../services/chat/src/model/messages/sending-repository.ts';
import { median } from '../figures.ts';
import { viewerId } from './seed-messages.ts';

const SENDER = viewerId('mixed');

/** Sends a seeded phrase to one of the 500 conversations of the sender, to large ones most often. */
async function send(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ phrase: string }>('select phrase from bench_phrases where number = $1', [
    1 + Math.floor(Math.random() * 1_000),
  ]);
  const rank = Math.floor(Math.exp(Math.random() * Math.log(500)));
  const conversation = (rank * 10 - 9).toString(16).padStart(24, '0');
  const content = rows[0]?.phrase ?? '';
  const { message, event } = newMessage({ userId: SENDER }, newId(), { conversation, content });
  if (!(await insertMessage(db, message, event))) throw new Error('The message was not sent');
}

/** Sends messages at a rate until stopped. */
export function sendSteadily(db: Db, perSecond: number) {
  let failure: unknown;
  const timer = setInterval(() => {
    send(db).catch((error: unknown) => {
      failure = error;
    });
  }, 1_000 / perSecond);
  return {
    stop() {
      clearInterval(timer);
      if (failure) throw failure;
    },
  };
}

const SENDS_PER_ROUND = 500;
const ROUNDS = 5;

/** Returns the time of sending with the trigger that queues messages for searches, divided by that without it. */
export async function measureSendingCost(db: Db): Promise<number> {
  const time = async (isEnabled: boolean) => {
    await db.query(`alter table messages ${isEnabled ? 'enable' : 'disable'} trigger messages_queue_search`);
    const startedAt = performance.now();
    for (let sent = 0; sent < SENDS_PER_ROUND; sent += 1) await send(db);
    return performance.now() - startedAt;
  };
  const ratios: number[] = [];
  await time(true);
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await time(false);
    ratios.push((await time(true)) / without);
  }
  return median(ratios);
}
