import { type Connection, Schema } from 'mongoose';

/** A browser to which notifications of a user are pushed. The id is derived from the endpoint. */
export type PushSubscriptionRecord = {
  _id: string;
  userId: string;
  sessionId: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** The VAPID key that it accepts messages from. */
  publicKey: string;
  /** When the browser last subscribed; it repeats that whenever it opens Atrium. */
  renewedAt: Date;
  /** When a new password ended its session; only security notifications from before are pushed to it, see `reaches`. */
  endedAt?: Date;
};

/** A notification to be shown by one browser. The id is derived from both. */
export type PushRecord = {
  _id: string;
  notificationId: string;
  subscriptionId: string;
  userId: string;
  /** Queued to be shown, accepted by the push service, queued to be withdrawn, and neither anymore. */
  state: 'queued' | 'shown' | 'withdrawing' | 'ended';
  attempts: number;
  nextAttemptAt: Date;
  createdAt: Date;
};

const text = { type: String, required: true } as const;
const timestamp = { type: Date, required: true } as const;

const options = (collection: string) => ({ collection, versionKey: false, autoIndex: false, minimize: false }) as const;

const subscription = new Schema<PushSubscriptionRecord>(
  {
    _id: text,
    userId: text,
    sessionId: text,
    endpoint: text,
    keys: { type: Schema.Types.Mixed, required: true },
    publicKey: text,
    renewedAt: timestamp,
    endedAt: { type: Date },
  },
  options('push_subscriptions'),
);

const push = new Schema<PushRecord>(
  {
    _id: text,
    notificationId: text,
    subscriptionId: text,
    userId: text,
    state: { ...text, enum: ['queued', 'shown', 'withdrawing', 'ended'] },
    attempts: { type: Number, required: true },
    nextAttemptAt: timestamp,
    createdAt: timestamp,
  },
  options('pushes'),
);

export const createPushModels = (connection: Connection) => ({
  pushSubscriptions: connection.model<PushSubscriptionRecord>('push-subscription', subscription),
  pushes: connection.model<PushRecord>('push', push),
});
