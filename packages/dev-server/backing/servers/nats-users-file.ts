import { createHash } from 'node:crypto';
import { natsUsers } from '@atrium/proto-events/nats-users';

const PREFIX = 'atrium';

/** What the server's configuration in a cluster includes: everybody with their rights, and passwords as the Secret has them. */
export const natsUsersFile = (second: readonly string[] = []): string => {
  const users = [{ user: 'operator' }, ...natsUsers(PREFIX, second)].map(({ user, ...rights }) => {
    const lines = Object.entries({ user, ...rights }).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return ['  {', ...lines, `    password: $NATS_${user.toUpperCase()}_PASSWORD`, '  }'].join('\n');
  });
  return `# Made from proto-events/src/nats-users.ts by \`npm run generate:nats-users\`.\nauthorization { users: [\n${users.join('\n')}\n] }\n`;
};

const LABEL = /(atrium\.nats-configuration: ')[0-9a-f]*'/;

/**
 * `deploy/compose.yaml` with the content of NATS's configuration as a label of its container: one that has changed is mounted into the
 * container that runs, and read by nobody until another is made. Throws where the label has no place.
 */
export const composeOfNats = (compose: string, configuration: readonly string[]): string => {
  const content = createHash('sha256').update(configuration.join('\n')).digest('hex').slice(0, 16);
  if (!LABEL.test(compose)) throw new Error('deploy/compose.yaml has no label of the configuration of NATS');
  return compose.replace(LABEL, `$1${content}'`);
};
