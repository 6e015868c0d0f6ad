import type { OutboxRow } from '@atrium/service-kit/outbox';
import type { Queryable } from '@atrium/service-kit/postgres';
/** Times are strings where the row came as JSON beside its conversation. */
export type Moment = Date | string;
export type MessageRow = {
  conversation_id: string;
  seq: number;
  message_id: string;
  sender_id: string;
  content: string;
  type: string;
  client_message_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  edited_at: Moment | null;
  deleted_at: Moment | null;
};
export type NewMessage = Pick<
  MessageRow,
  'conversation_id' | 'message_id' | 'sender_id' | 'content' | 'type' | 'client_message_id'
>;
/**
 * Sends a message in one statement: membership, the repeat of a client's id, the next seq, the message, the sender's counter and the
 * event, together or not at all. The seq stands in the event only once it is known. Undefined for somebody who does not take part.
 */
export declare function insertMessage(
  db: Queryable,
  message: NewMessage,
  event: OutboxRow,
): Promise<
  | (MessageRow & {
      repeated: boolean;
    })
  | undefined
>;
export type Page = {
  limit: number;
  before?: number | undefined;
  after?: number | undefined;
};
/** A page along the primary key, so that its plan cannot flip: the newest, what came before a seq, or what came after one. */
export declare function listMessageRows(db: Queryable, conversationId: string, page: Page): Promise<MessageRow[]>;
/** A message by its id, with what decides who may see and change it: the viewer's part in its conversation. */
export declare function findMessage(
  db: Queryable,
  messageId: string,
  viewerId: string,
): Promise<
  | (MessageRow & {
      conversation_type: string;
      takes_part: boolean;
    })
  | undefined
>;
type Place = Pick<MessageRow, 'conversation_id' | 'seq'>;
/** Undefined when it was deleted meanwhile. */
export declare function changeContent(tx: Queryable, at: Place, content: string): Promise<MessageRow | undefined>;
/** Leaves a tombstone that keeps its seq and loses its content; false when it was one already. */
export declare function buryMessage(tx: Queryable, at: Place): Promise<boolean>;
