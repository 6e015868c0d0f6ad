import { messageSent } from '@atrium/proto-events/events/chat';
import { outboxRow } from '@atrium/service-kit/messaging/outbox';
import { newId } from '@atrium/service-kit/process/new-id';
import pg from 'pg';
import { insertMessage } from '../../../services/chat/src/model/messages/sending-repository.ts';
import { type Figure, median } from '../figures.ts';
import { loadHttp } from '../http-load.ts';
import type { LoadEnvironment } from '../load-environment.ts';

const CONNECTIONS = 16;
const SECONDS = 3;
const ROUNDS = 5;
const CONTENT = 'A message of the usual length, with nothing special in it.';

/** Sends messages over HTTP on 16 connections, against the same SQL run directly on 16 connections. */
export async function benchSending(environment: LoadEnvironment): Promise<Figure[]> {
  // A separate database for direct SQL, so that no relay publishes its events.
  const directService = await environment.startService('chat', 'straight');
  const directConversation = await environment.createConversation(directService.url, CONNECTIONS);
  await directService.stop();
  const chat = await environment.startService('chat');
  try {
    const conversation = await environment.createConversation(chat.url, CONNECTIONS);
    const headers = { authorization: `Bearer ${await environment.tokenOf(0)}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ conversation, content: CONTENT });
    const url = `${chat.url}/api/chat/messages`;
    const sendOverHttp = () =>
      loadHttp({ url, connections: CONNECTIONS, seconds: SECONDS, headers, method: 'POST', body });
    const sender = environment.users[0]?._id ?? '';
    const sendDirectly = () => loadStatement(environment.databaseUrl('straight'), directConversation, sender);
    await sendOverHttp();
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const direct = await sendDirectly();
      const sent = await sendOverHttp();
      ratios.push(sent.perSecond / direct);
      environment.print(`  direct ${direct.toFixed(0)}/s, over HTTP ${sent.perSecond.toFixed(0)}/s`);
    }
    const value = median(ratios);
    return [
      {
        name: 'sends over HTTP against the same SQL run directly',
        value,
        unit: '×',
        limit: 0.6,
        sense: 'at least',
        detail: '16 connections',
      },
    ];
  } finally {
    await chat.stop();
  }
}

async function loadStatement(databaseUrl: string, conversation: string, sender: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const deadline = performance.now() + SECONDS * 1000;
  let sentCount = 0;
  const sendUntilDeadline = async () => {
    while (performance.now() < deadline) {
      const message = {
        conversation_id: conversation,
        message_id: newId(),
        sender_id: sender,
        content: CONTENT,
        type: 'text',
        client_message_id: null,
      };
      const data = { conversationId: conversation, messageId: message.message_id, seq: 0, senderId: sender };
      await insertMessage(
        pool,
        message,
        outboxRow({ event: messageSent, data, aggregate: conversation, actorId: sender }),
      );
      sentCount += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendUntilDeadline));
  await pool.end();
  return sentCount / SECONDS;
}
