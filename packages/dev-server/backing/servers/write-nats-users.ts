import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '../launcher-context.ts';
import { composeOfNats, natsUsersFile } from './nats-users-file.ts';

const at = (name: string): string => join(CHECKOUT, 'deploy', name);

// `npm run generate:nats-users -- chat` adds a second user for chat, whose password is NATS_CHAT_2_PASSWORD.
const users = natsUsersFile(process.argv.slice(2));
writeFileSync(at('backing/nats/users.conf'), users);
const compose = readFileSync(at('compose.yaml'), 'utf8');
writeFileSync(at('compose.yaml'), composeOfNats(compose, [readFileSync(at('backing/nats/nats.conf'), 'utf8'), users]));
