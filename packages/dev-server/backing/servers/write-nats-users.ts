import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../launcher-context.ts';
import { renderNatsUsers, updateConfigurationLabel } from './nats-users-file.ts';

const deployPath = (name: string): string => join(CHECKOUT, 'deploy', name);

// `npm run generate:nats-users -- chat` adds a second user for chat, whose password is NATS_CHAT_2_PASSWORD.
const users = renderNatsUsers(process.argv.slice(2));
writeFileSync(deployPath('backing/nats/users.conf'), users);
const compose = readFileSync(deployPath('compose.yaml'), 'utf8');
writeFileSync(
  deployPath('compose.yaml'),
  updateConfigurationLabel(compose, [readFileSync(deployPath('backing/nats/nats.conf'), 'utf8'), users]),
);
