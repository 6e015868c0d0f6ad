import { natsUsers } from '@atrium/proto-events/nats-users';

const PREFIX = 'atrium';

/** What the server's configuration in a cluster includes: everybody with their rights, and passwords as the Secret has them. */
export const natsUsersFile = (second: readonly string[] = []): string => {
  const users = [{ user: 'operator' }, ...natsUsers(PREFIX, second)].map(({ user, ...rights }) => {
    const lines = Object.entries({ user, ...rights }).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
    return ['  {', ...lines, `    password: $NATS_${user.toUpperCase()}_PASSWORD`, '  }'].join('\n');
  });
  return `# Made from proto-events/src/nats-users.ts by \`npm run nats:users\`.\nauthorization { users: [\n${users.join('\n')}\n] }\n`;
};
