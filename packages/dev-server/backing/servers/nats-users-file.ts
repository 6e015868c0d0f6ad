import { createHash } from 'node:crypto';
import { natsUsers } from '@atrium/proto-events/nats-users';

const PREFIX = 'atrium';

/** Passwords come from the Secret. */
export const natsUsersFile = (second: readonly string[] = []): string => {
  const users = [{ user: 'operator' }, ...natsUsers(PREFIX, second)].map(({ user, ...rights }) => {
    const lines = Object.entries({ user, ...rights }).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return ['  {', ...lines, `    password: $NATS_${user.toUpperCase()}_PASSWORD`, '  }'].join('\n');
  });
  return `# Generated from proto-events/src/nats-users.ts by \`npm run generate:nats-users\`.\nauthorization { users: [\n${users.join('\n')}\n] }\n`;
};

const LABEL = /(atrium\.nats-configuration: ')[0-9a-f]*'/;

/**
 * A hash of the NATS configuration as a container label recreates the container when the configuration changes,
 * which a running one would not read. Throws if the label is missing.
 */
export const composeOfNats = (compose: string, configuration: readonly string[]): string => {
  const content = createHash('sha256').update(configuration.join('\n')).digest('hex').slice(0, 16);
  if (!LABEL.test(compose)) throw new Error('deploy/compose.yaml has no label atrium.nats-configuration');
  return compose.replace(LABEL, `$1${content}'`);
};
