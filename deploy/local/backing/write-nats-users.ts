import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsUsersFile } from './servers/nats-users-file.ts';
import { CHECKOUT } from './toolbox.ts';

writeFileSync(join(CHECKOUT, 'deploy/backing/nats/users.conf'), natsUsersFile());
