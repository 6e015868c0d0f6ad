import { type Config, pushPrivateKeys } from '../config.ts';
import { type PushKey, toPushKey } from './push-keys.ts';

export type PushSettings = {
  /** The first one is for new subscriptions. Empty if there are no pushes. */
  keys: readonly PushKey[];
  hosts: readonly string[];
  /** Contact of the operator, for push services. */
  subject: string;
};

export const toPushSettings = (config: Config): PushSettings => ({
  keys: pushPrivateKeys(config).map(toPushKey),
  hosts: config.PUSH_HOSTS,
  subject: `mailto:${config.MAIL_ADDRESS}`,
});
