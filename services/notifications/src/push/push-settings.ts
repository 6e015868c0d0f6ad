import { type Config, pushPrivateKeys } from '../config.ts';
import { type PushKey, toPushKey } from './push-keys.ts';

export type PushSettings = {
  /** The first one is for new subscriptions. Empty if there are no pushes. */
  keys: readonly PushKey[];
  hosts: readonly string[];
  /** Contact of the operator, for push services. */
  subject: string;
  /** How long a browser stays subscribed without renewing it: its session may have expired. */
  maxIdleMs: number;
};

const DAY_MS = 24 * 60 * 60_000;

export const toPushSettings = (config: Config): PushSettings => ({
  keys: pushPrivateKeys(config).map(toPushKey),
  hosts: config.PUSH_HOSTS,
  subject: `mailto:${config.MAIL_ADDRESS}`,
  maxIdleMs: config.SESSION_IDLE_DAYS * DAY_MS,
});
