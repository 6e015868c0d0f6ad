import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsUsersFile } from './servers/nats-users-file.ts';
import { CHECKOUT } from './toolbox.ts';

// `npm run nats:users -- chat` gives chat a second user, whose password is NATS_CHAT_2_PASSWORD.
writeFileSync(join(CHECKOUT, 'deploy/backing/nats/users.conf'), natsUsersFile(process.argv.slice(2)));
