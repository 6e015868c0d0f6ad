import { createHash } from 'node:crypto';
import { natsUsers } from '@atrium/proto-events/nats-users';

const PREFIX = 'atrium';

/** Renders users.conf, which refers to the passwords in the Secret by variables. */
export const renderNatsUsers = (secondUsers: readonly string[] = []): string => {
  const users = [{ user: 'operator' }, ...natsUsers(PREFIX, secondUsers)].map(({ user, ...rights }) => {
    const lines = Object.entries({ user, ...rights }).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return ['  {', ...lines, `    password: $NATS_${user.toUpperCase()}_PASSWORD`, '  }'].join('\n');
  });
  return `# Generated from proto-events/src/nats-users.ts by \`npm run generate:nats-users\`.\nauthorization { users: [\n${users.join('\n')}\n] }\n`;
};

const LABEL = /(atrium\.nats-configuration: ')[0-9a-f]*'/;

/**
 * Updates the container label that holds a hash of the NATS configuration. A running container does not reread its
 * configuration, so the changed label makes Compose recreate it. Throws if the label is missing.
 */
export const updateConfigurationLabel = (compose: string, files: readonly string[]): string => {
  const configurationHash = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
  if (!LABEL.test(compose)) throw new Error('deploy/compose.yaml has no label atrium.nats-configuration');
  return compose.replace(LABEL, `$1${configurationHash}'`);
};
