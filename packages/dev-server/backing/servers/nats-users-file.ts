import { createHash } from 'node:crypto';
import { natsUsers } from '@atrium/proto-events/nats-users';

const PREFIX = 'atrium';

/** The authorization section of a deployed NATS: users with their permissions, and passwords from the Secret. */
export const natsUsersFile = (second: readonly string[] = []): string => {
  const users = [{ user: 'operator' }, ...natsUsers(PREFIX, second)].map(({ user, ...rights }) => {
    const lines = Object.entries({ user, ...rights }).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return ['  {', ...lines, `    password: $NATS_${user.toUpperCase()}_PASSWORD`, '  }'].join('\n');
  });
  return `# Generated from proto-events/src/nats-users.ts by \`npm run generate:nats-users\`.\nauthorization { users: [\n${users.join('\n')}\n] }\n`;
};

const LABEL = /(atrium\.nats-configuration: ')[0-9a-f]*'/;

/**
 * `deploy/compose.yaml` with a hash of the NATS configuration as a container label, so that a changed configuration recreates the container.
 * A running container would not read it. Throws if the label is missing.
 */
export const composeOfNats = (compose: string, configuration: readonly string[]): string => {
  const content = createHash('sha256').update(configuration.join('\n')).digest('hex').slice(0, 16);
  if (!LABEL.test(compose)) throw new Error('deploy/compose.yaml has no label atrium.nats-configuration');
  return compose.replace(LABEL, `$1${content}'`);
};
